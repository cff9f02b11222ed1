// Interrupts are never taken: they end the wait for a peripheral, and are asked for by number.
#ifndef DRIVERS_INTERRUPT_H
#define DRIVERS_INTERRUPT_H

// Lets a source of the PLIC end waits.
void interrupt_enable(unsigned source);
// Waits until a source of the PLIC, or an interrupt that was pending already, asks for attention.
void interrupt_wait(void);
// Claims and completes whatever is pending. The reason must be gone, or it is pending again at once.
void interrupt_acknowledge(void);

#endif
