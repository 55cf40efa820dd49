/* SPDX-License-Identifier: MIT
 *
 * event.hpp: events, the handles of commands: [SYCL20] 4.6.6. A command has always
 * ended when the program gets its event; but whether the program has waited for that is
 * observed. */
#ifndef WEIR_SYCL_EVENT_HPP
#define WEIR_SYCL_EVENT_HPP

#include "device.hpp"

#include <memory>
#include <vector>

namespace weiri
{
struct graph_access;
void host_has_waited(); /* memory.hpp */

/* A command of a graph: graph.hpp. */
struct graph_node {
    std::uint32_t number = 0; /* that it had when it ran last, if that is observed */
};

[[noreturn]] inline void waits_for_recorded()
{
    throw sycl::exception(sycl::errc::invalid,
                          "the command was recorded for a graph: wait for the event "
                          "that ext_oneapi_graph() returns");
}
} // namespace weiri

namespace sycl
{

class queue;
class handler;

class event
{
    friend class queue;
    friend class handler;
    friend struct weiri::graph_access;
    weiri::graph_node *node = nullptr; /* of a graph, if the command was recorded */
    std::uint64_t submitted = 0, started = 0, ended = 0;
    std::uint32_t number = 0; /* of the command, if it is observed */
    bool profiled = false;
    std::shared_ptr<const std::vector<event>> after; /* or none */
    std::shared_ptr<weiri::async_errors> errors;     /* of the queue; or none */

  public:
    void wait()
    {
        if (node != nullptr) {
            weiri::waits_for_recorded();
        }
        weiri::weiri_sycl_wait(number);
        weiri::host_has_waited();
    }
    void wait_and_throw()
    {
        wait();
        if (errors != nullptr) {
            errors->pass_on();
        }
    }
    static void wait(const std::vector<event> &events)
    {
        for (event one : events) {
            one.wait();
        }
    }
    static void wait_and_throw(const std::vector<event> &events)
    {
        wait(events);
        for (event one : events) {
            one.wait_and_throw();
        }
    }
    std::vector<event> get_wait_list()
    {
        return after != nullptr ? *after : std::vector<event>();
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    /* a program that knows that the command has ended has waited */
    template <class Q_> typename Q_::return_type get_info() const
    {
        weiri::weiri_sycl_has_ended(number);
        return info::event_command_status::complete;
    }
    template <class Q_> typename Q_::return_type get_profiling_info() const
    {
        if (!profiled) {
            throw exception(errc::invalid,
                            "the queue was made without enable_profiling");
        }
        if constexpr (std::is_same_v<Q_, info::event_profiling::command_submit>) {
            return submitted;
        } else if constexpr (std::is_same_v<Q_, info::event_profiling::command_start>) {
            weiri::weiri_sycl_wait(number);
            return started;
        } else {
            weiri::weiri_sycl_wait(number);
            return ended;
        }
    }
    std::size_t weiri_hash() const noexcept
    {
        return static_cast<std::size_t>(started ^ ended);
    }
    friend bool operator==(const event &a, const event &b) noexcept
    {
        return a.started == b.started && a.ended == b.ended;
    }
    friend bool operator!=(const event &a, const event &b) noexcept
    {
        return !(a == b);
    }
};

} // namespace sycl

#endif
