/* A system with the tracepoints of ros2_tracing: a timer that publishes, a subscription that gets it.
   With an argument it only emits so many events, as fast as it can. */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "ros2_provider.h"
#include <stdlib.h>

#define AT(address) ((const void *)(uintptr_t)(address))
#define EMIT(...) lttng_ust_tracepoint(ros2, __VA_ARGS__)

int main(int count, char **arguments)
{
    static const uint16_t list[4] = { 1, 500, 65535, 7 };
    if (count > 1) {
        for (long left = atol(arguments[1]); left > 0; left--)
            EMIT(callback_start, AT(left));
        return 0;
    }
    EMIT(rcl_publisher_init, AT(0x30), AT(0x10), "/image");
    EMIT(rcl_node_init, AT(0x10), "camera", "/front");
    EMIT(rcl_timer_init, AT(0x11), 5000000);
    EMIT(rclcpp_timer_callback_added, AT(0x11), AT(0x12));
    EMIT(rclcpp_timer_link_node, AT(0x11), AT(0x10));
    EMIT(rcl_node_init, AT(0x20), "filter", "/");
    EMIT(rcl_subscription_init, AT(0x21), AT(0x20), "/image");
    EMIT(rclcpp_subscription_init, AT(0x21), AT(0x22));
    EMIT(rclcpp_subscription_callback_added, AT(0x22), AT(0x23));
    for (int n = 0; n < 100; n++) {
        const void *message = AT(0x1000 + n % 3);
        EMIT(callback_start, AT(0x12));
        EMIT(rclcpp_publish, message);
        EMIT(rcl_publish, AT(0x30), message);
        EMIT(rmw_publish, message, 1000000 + n);
        EMIT(callback_end, AT(0x12));
        EMIT(rmw_take, AT(0x2000), 1000000 + n, 1);
        EMIT(callback_start, AT(0x23));
        EMIT(kinds_of_fields, n, "a \"text\"\n", list);
        EMIT(callback_end, AT(0x23));
    }
    return 0;
}
