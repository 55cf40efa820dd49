/* SPDX-License-Identifier: MIT
 *
 * graph.hpp: DPC++'s graphs of commands (sycl_ext_oneapi_graph). A graph keeps the
 * command groups that it was given, or that were submitted to a queue while it
 * recorded; to run it is to run them in that order. Command groups that the graph does
 * not order may race, as commands of a queue do. */
#ifndef WEIR_SYCL_GRAPH_HPP
#define WEIR_SYCL_GRAPH_HPP

#include "queue.hpp"

namespace weiri
{

struct graph_command : graph_node {
    std::unique_ptr<sycl::handler> group;
    std::vector<graph_command *> after;
};
using graph_nodes = std::vector<std::shared_ptr<graph_command>>;

/* A graph's data about the queues that it records, and their commands. */
struct recording final : graph_recorder {
    graph_nodes nodes;
    /* of queues in order */
    std::vector<std::pair<sycl::queue, graph_command *>> latest;

    sycl::event record(sycl::queue &q, std::unique_ptr<sycl::handler> h) override;
};

struct graph_access {
    static void record(sycl::queue &q, graph_recorder *to)
    {
        if (to != nullptr && q.end->recorder != nullptr) {
            throw sycl::exception(sycl::errc::invalid,
                                  "a graph records the queue already: call "
                                  "end_recording() first");
        }
        q.end->recorder = to;
    }
    static void after(sycl::handler &h, graph_command *earlier)
    {
        sycl::event e;
        e.node = earlier;
        h.after.push_back(e);
    }
    static graph_command *node_of(const sycl::event &e)
    {
        return static_cast<graph_command *>(e.node);
    }
    static sycl::event event_of(graph_command *node)
    {
        sycl::event e;
        e.node = node;
        return e;
    }
    static const std::vector<sycl::event> &earlier(const sycl::handler &h)
    {
        return h.after;
    }

    /* Commands of a graph that nothing orders may race: they are as of a queue that is
     * out of order, after what the graph waits for. */
    static void run(sycl::queue &q, sycl::handler &all)
    {
        const auto &nodes = *static_cast<const graph_nodes *>(all.graph);
        std::vector<sycl::event> before = all.after;
        if (q.is_in_order()) {
            sycl::handler gate(all.at);
            gate.set("graph", [] {});
            gate.start.barrier = true;
            gate.run(q.own_number());
            before.emplace_back();
            before.back().number = gate.number;
        }
        const std::uint32_t inside
            = weiri_sycl_queue(false, q.get_context().weiri_number());
        for (const auto &node : nodes) {
            sycl::handler &one = *node->group;
            const std::vector<sycl::event> own = one.after;
            one.after.insert(one.after.end(), before.begin(), before.end());
            one.run(inside);
            one.after = own;
            node->number = one.number;
            all.after.emplace_back();
            all.after.back().number = one.number;
        }
    }
};

inline sycl::event recording::record(sycl::queue &q, std::unique_ptr<sycl::handler> h)
{
    auto node = std::make_shared<graph_command>();
    for (const sycl::event &e : graph_access::earlier(*h)) {
        if (graph_access::node_of(e) != nullptr) {
            node->after.push_back(graph_access::node_of(e));
        }
    }
    if (q.is_in_order()) {
        auto own = std::find_if(latest.begin(), latest.end(),
                                [&](const auto &one) { return one.first == q; });
        if (own == latest.end()) {
            own = latest.insert(own, { q, nullptr });
        }
        if (own->second != nullptr) {
            graph_access::after(*h, own->second);
            node->after.push_back(own->second);
        }
        own->second = node.get();
    }
    node->group = std::move(h);
    nodes.push_back(node);
    return graph_access::event_of(node.get());
}

} // namespace weiri

namespace sycl::ext::oneapi::experimental
{

enum class queue_state { executing, recording };

class node
{
    weiri::graph_command *of; /* of the graph's */

  public:
    explicit node(weiri::graph_command *n) noexcept : of(n)
    {
    }
    weiri::graph_command *weiri_node() const noexcept
    {
        return of;
    }
    static node get_node_from_event(const event &e)
    {
        return node(weiri::graph_access::node_of(e));
    }
    std::vector<node> get_predecessors() const
    {
        std::vector<node> list;
        for (const auto &one : of->after) {
            list.emplace_back(one);
        }
        return list;
    }
    friend bool operator==(const node &a, const node &b) noexcept
    {
        return a.of == b.of;
    }
    friend bool operator!=(const node &a, const node &b) noexcept
    {
        return a.of != b.of;
    }
};

namespace property
{
namespace node
{
class depends_on : public weiri::property
{
    std::vector<experimental::node> list;

  public:
    template <class... N_> explicit depends_on(N_... nodes) : list{ nodes... }
    {
    }
    const std::vector<experimental::node> &get_dependencies() const noexcept
    {
        return list;
    }
};
class depends_on_all_leaves : public weiri::property
{
};
} // namespace node
namespace graph
{
class no_cycle_check : public weiri::property
{
};
class assume_buffer_outlives_graph : public weiri::property
{
};
class updatable : public weiri::property
{
};
class enable_profiling : public weiri::property
{
};
} // namespace graph
} // namespace property

template <> class command_graph<graph_state::executable, weiri::graph_header>
{
    weiri::graph_nodes nodes;

  public:
    explicit command_graph(weiri::graph_nodes list) : nodes(std::move(list))
    {
    }
    const weiri::graph_nodes &weiri_nodes() const noexcept
    {
        return nodes;
    }
    static constexpr auto weiri_run = weiri::graph_access::run;
    /* The same graph with other arguments. */
    template <class G_> void update(const G_ &other)
    {
        const auto next = other.finalize();
        if (next.nodes.size() != nodes.size()) {
            throw exception(errc::invalid,
                            "update(): the graphs have " + std::to_string(nodes.size())
                                + " and " + std::to_string(next.nodes.size())
                                + " nodes");
        }
        nodes = next.nodes;
    }
};

template <> class command_graph<graph_state::modifiable, weiri::graph_header>
{
    std::shared_ptr<weiri::recording> all = std::make_shared<weiri::recording>();
    context in;
    std::vector<queue> recorded;

    void add_edge(handler &h, weiri::graph_command *from)
    {
        weiri::graph_access::after(h, from);
    }

  public:
    command_graph(const context &c, const device &, const property_list & = {}) : in(c)
    {
    }
    explicit command_graph(const queue &q, const property_list & = {})
        : in(q.get_context())
    {
    }
    ~command_graph()
    {
        end_recording();
    }
    command_graph(const command_graph &) = delete;
    command_graph &operator=(const command_graph &) = delete;

    template <class F_, class = std::enable_if_t<std::is_invocable_v<F_, handler &>>>
    node add(F_ f, const property_list &list = {}, weiri::here at = {})
    {
        const auto leaves = all->nodes;
        queue q(in, device());
        weiri::graph_access::record(q, all.get());
        return node::get_node_from_event(q.submit(
            [&](handler &h) {
                if (list.has_property<property::node::depends_on>()) {
                    const auto on = list.get_property<property::node::depends_on>();
                    for (const node &one : on.get_dependencies()) {
                        add_edge(h, one.weiri_node());
                    }
                }
                if (list.has_property<property::node::depends_on_all_leaves>()) {
                    for (const auto &one : leaves) {
                        add_edge(h, one.get());
                    }
                }
                f(h);
            },
            at));
    }
    node add(const property_list &list = {}, weiri::here at = {})
    {
        return add([](handler &h) { h.host_task([] {}); }, list, at);
    }
    void make_edge(const node &from, const node &to)
    {
        const auto place = [this](const node &n) {
            return std::find_if(
                all->nodes.begin(), all->nodes.end(),
                [&](const auto &one) { return one.get() == n.weiri_node(); });
        };
        if (place(to) == all->nodes.end() || place(to) <= place(from)) {
            throw exception(errc::invalid,
                            "an edge leads to a node of the graph that was added after "
                            "the one where it begins");
        }
        add_edge(*to.weiri_node()->group, from.weiri_node());
        to.weiri_node()->after.push_back(from.weiri_node());
    }
    bool begin_recording(queue q, const property_list & = {})
    {
        weiri::graph_access::record(q, all.get());
        recorded.push_back(q);
        return true;
    }
    bool begin_recording(const std::vector<queue> &list, const property_list & = {})
    {
        for (const queue &q : list) {
            begin_recording(q);
        }
        return !list.empty();
    }
    bool end_recording()
    {
        for (queue &q : recorded) {
            weiri::graph_access::record(q, nullptr);
        }
        recorded.clear();
        return true;
    }
    bool end_recording(queue q)
    {
        weiri::graph_access::record(q, nullptr);
        recorded.erase(std::remove(recorded.begin(), recorded.end(), q),
                       recorded.end());
        return true;
    }
    bool end_recording(const std::vector<queue> &list)
    {
        for (const queue &q : list) {
            end_recording(q);
        }
        return true;
    }
    auto finalize(const property_list & = {}) const
    {
        return command_graph<graph_state::executable>(all->nodes);
    }
    std::vector<node> get_nodes() const
    {
        std::vector<node> list;
        for (const auto &one : all->nodes) {
            list.emplace_back(one.get());
        }
        return list;
    }
    std::vector<node> get_root_nodes() const
    {
        std::vector<node> list;
        for (const auto &one : all->nodes) {
            if (one->after.empty()) {
                list.emplace_back(one.get());
            }
        }
        return list;
    }
};

} // namespace sycl::ext::oneapi::experimental

#endif
