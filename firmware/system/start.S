# Entry after reset: all registers are 0, interrupts and the floating-point unit are off.
    .file "start.S"
    .section .text.start
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la t0, trap_entry
    csrw mtvec, t0
    li t0, 0x6000            # mstatus.FS: the floating-point unit is on
    csrs mstatus, t0
    fscsr zero               # round to nearest, no flags

    la a0, data_start
    la a1, data_end
    la a2, data_load
copy_data:
    bgeu a0, a1, clear
    lw t0, 0(a2)
    sw t0, 0(a0)
    addi a0, a0, 4
    addi a2, a2, 4
    j copy_data
clear:
    la a0, bss_start
    la a1, bss_end
clear_bss:
    bgeu a0, a1, run
    sw zero, 0(a0)
    addi a0, a0, 4
    j clear_bss
run:
    call main
halt:
    wfi
    j halt

# Every trap is an error: interrupts stay masked and only end waits. The stack may be what broke, so it starts anew.
    .align 2
    .globl trap_entry
trap_entry:
    mv a2, sp
    la sp, stack_top
    csrr a0, mcause
    csrr a1, mepc
    csrr a3, mtval
    call trap_record
    j halt
