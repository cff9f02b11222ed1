/* Tracepoints with the names and fields of ros2_tracing, and one with every kind of field. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER ros2
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./ros2_provider.h"
#if !defined(ROS2_PROVIDER_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define ROS2_PROVIDER_H
#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(ros2, rcl_node_init,
    LTTNG_UST_TP_ARGS(const void *, node, const char *, name, const char *, space),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, node_handle, node)
        lttng_ust_field_integer_hex(const void *, rmw_handle, 0)
        lttng_ust_field_string(node_name, name)
        lttng_ust_field_string(namespace, space)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rcl_timer_init,
    LTTNG_UST_TP_ARGS(const void *, timer, int64_t, period),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, timer_handle, timer)
        lttng_ust_field_integer(int64_t, period, period)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rclcpp_timer_callback_added,
    LTTNG_UST_TP_ARGS(const void *, timer, const void *, callback),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, timer_handle, timer)
        lttng_ust_field_integer_hex(const void *, callback, callback)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rclcpp_timer_link_node,
    LTTNG_UST_TP_ARGS(const void *, timer, const void *, node),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, timer_handle, timer)
        lttng_ust_field_integer_hex(const void *, node_handle, node)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rcl_publisher_init,
    LTTNG_UST_TP_ARGS(const void *, publisher, const void *, node, const char *, topic),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, publisher_handle, publisher)
        lttng_ust_field_integer_hex(const void *, node_handle, node)
        lttng_ust_field_integer_hex(const void *, rmw_publisher_handle, 0)
        lttng_ust_field_string(topic_name, topic)
        lttng_ust_field_integer(size_t, queue_depth, 5)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rcl_subscription_init,
    LTTNG_UST_TP_ARGS(const void *, subscription, const void *, node, const char *, topic),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, subscription_handle, subscription)
        lttng_ust_field_integer_hex(const void *, node_handle, node)
        lttng_ust_field_integer_hex(const void *, rmw_subscription_handle, 0)
        lttng_ust_field_string(topic_name, topic)
        lttng_ust_field_integer(size_t, queue_depth, 7)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rclcpp_subscription_init,
    LTTNG_UST_TP_ARGS(const void *, handle, const void *, subscription),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, subscription_handle, handle)
        lttng_ust_field_integer_hex(const void *, subscription, subscription)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rclcpp_subscription_callback_added,
    LTTNG_UST_TP_ARGS(const void *, subscription, const void *, callback),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, subscription, subscription)
        lttng_ust_field_integer_hex(const void *, callback, callback)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rclcpp_publish,
    LTTNG_UST_TP_ARGS(const void *, message),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer_hex(const void *, message, message)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rcl_publish,
    LTTNG_UST_TP_ARGS(const void *, publisher, const void *, message),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, publisher_handle, publisher)
        lttng_ust_field_integer_hex(const void *, message, message)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rmw_publish,
    LTTNG_UST_TP_ARGS(const void *, message, int64_t, stamp),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, message, message)
        lttng_ust_field_integer(int64_t, timestamp, stamp)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, rmw_take,
    LTTNG_UST_TP_ARGS(const void *, message, int64_t, stamp, int, taken),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, rmw_subscription_handle, 0)
        lttng_ust_field_integer_hex(const void *, message, message)
        lttng_ust_field_integer(int64_t, source_timestamp, stamp)
        lttng_ust_field_integer(int, taken, taken)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, callback_start,
    LTTNG_UST_TP_ARGS(const void *, callback),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_integer_hex(const void *, callback, callback)
        lttng_ust_field_integer(int, is_intra_process, 0)))

LTTNG_UST_TRACEPOINT_EVENT(ros2, callback_end,
    LTTNG_UST_TP_ARGS(const void *, callback),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer_hex(const void *, callback, callback)))

LTTNG_UST_TRACEPOINT_ENUM(ros2, colour,
    LTTNG_UST_TP_ENUM_VALUES(
        lttng_ust_field_enum_value("RED", 0)
        lttng_ust_field_enum_range("OTHER", 1, 9)))

/* A text sequence of length 0 is avoided: babeltrace2 2.0.4 shows the one before instead. */
LTTNG_UST_TRACEPOINT_EVENT(ros2, kinds_of_fields,
    LTTNG_UST_TP_ARGS(int, number, const char *, text, const uint16_t *, list),
    LTTNG_UST_TP_FIELDS(
        lttng_ust_field_string(text, text)
        lttng_ust_field_sequence(uint16_t, sequence, list, unsigned int, number % 4)
        lttng_ust_field_array(uint16_t, array, list, 3)
        lttng_ust_field_array_text(char, array_text, text, 4)
        lttng_ust_field_sequence_text(char, sequence_text, text, size_t, 1 + number % 5)
        lttng_ust_field_float(double, real, 0.25 * number)
        lttng_ust_field_float(float, small_real, -0.5f * number)
        lttng_ust_field_integer_network(int32_t, network, number)
        lttng_ust_field_integer(int8_t, small, -number)
        lttng_ust_field_enum(ros2, colour, int, colour, number % 3)))
#endif
#include <lttng/tracepoint-event.h>
