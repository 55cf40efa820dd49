/* SPDX-License-Identifier: MIT
 *
 * candidate-divergence.c: items that part before a barrier. The barrier moves out of
 * the branch that only some take, or the others stay: the return goes, and the code
 * after it is guarded. */
#include "config.h"

#include "repair/kernel-text.h"
#include "repair/opencl-text.h"
#include "repair/sycl-text.h"

#include <string.h>

/* Costs: what is tried first. */
enum {
    COST_MOVE = 16,   /* after the branch, */
    COST_BEFORE = 18, /* before it, */
    COST_SPLIT = 20,  /* or between two parts of it */
    COST_OUTER = 4,   /* more for each branch further out */
    COST_REMOVE = 24, /* the return */
    COST_MASK = 30,   /* of lanes that are here */
    COST_GUARD = 40,  /* what follows it */
};

static bool is_branch(const struct weiri_source *source, uint32_t statement)
{
    return weiri_source_at(source, statement)->kind == WEIRI_STATEMENT_IF;
}

/* The arms of a branch; the second is NONE without an else. */
struct arms {
    uint32_t first, second;
};

static struct arms arms_of(const struct weiri_source *source, uint32_t branch)
{
    uint32_t first = weiri_source_at(source, branch)->first_child;
    return (struct arms){ first,
                          first == WEIRI_STATEMENT_NONE
                              ? first
                              : weiri_source_at(source, first)->next };
}

/* The only statement of an arm, or NONE. */
static uint32_t only_of(const struct weiri_source *source, uint32_t arm)
{
    if (arm == WEIRI_STATEMENT_NONE
        || weiri_source_at(source, arm)->kind != WEIRI_STATEMENT_BLOCK) {
        return arm;
    }
    uint32_t first = weiri_source_at(source, arm)->first_child;
    return first == WEIRI_STATEMENT_NONE
            || weiri_source_at(source, first)->next != WEIRI_STATEMENT_NONE
        ? WEIRI_STATEMENT_NONE
        : first;
}

/* "if (CONDITION)": what is between the parentheses. Returns: (transfer full) */
static char *condition_of(const struct weiri_source *source, uint32_t branch)
{
    const struct weiri_statement *at = weiri_source_at(source, branch);
    g_autofree char *head
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    char *open = strchr(head, '('), *close = strrchr(head, ')');
    return open == NULL || close == NULL || close < open
        ? g_strdup("")
        : g_strndup(open + 1, (gsize)(close - open) - 1);
}

/* ---- Barriers -------------------------------------------------------------------- */

static void add(struct weiri_search *search, const struct weiri_anchor *anchor,
                GArray *edits, uint32_t barrier, const char *where, uint32_t line,
                unsigned cost)
{
    const struct weiri_statement *at = weiri_source_at(anchor->source, barrier);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_MOVE_BARRIER,
        .file = anchor->file,
        .line = line,
        .to = weiri_text_of(anchor->source, (struct weiri_range){ at->start, at->end }),
        .title = g_strdup_printf("move the barrier of line %" PRIu32 " %s",
                                 at->first_line, where),
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* Takes out a barrier, with the branches around it that have nothing else. */
static void take_out(GArray *edits, const struct weiri_source *source, uint32_t barrier)
{
    uint32_t taken = barrier;
    for (uint32_t above = weiri_source_at(source, taken)->parent;
         (is_branch(source, above)
          && arms_of(source, above).second == WEIRI_STATEMENT_NONE)
         || (weiri_source_at(source, above)->kind == WEIRI_STATEMENT_BLOCK
             && is_branch(source, weiri_source_at(source, above)->parent)
             && only_of(source, above) == taken);
         above = weiri_source_at(source, taken)->parent) {
        taken = above;
    }
    const struct weiri_statement *at = weiri_source_at(source, taken);
    if (weiri_source_at(source, at->parent)->kind == WEIRI_STATEMENT_BLOCK) {
        weiri_edit_remove(edits, source, taken);
    } else {
        weiri_edit_add(edits, at->start, at->end, "{}");
    }
}

/* Beside one branch around the barrier. */
static void suggest_beside(struct weiri_search *search,
                           const struct weiri_anchor *anchor, uint32_t branch,
                           uint32_t arm, uint32_t barrier, unsigned further)
{
    const struct weiri_source *source = anchor->source;
    const struct weiri_statement *at = weiri_source_at(source, branch);
    struct arms arms = arms_of(source, branch);
    uint32_t other = arm == arms.first ? arms.second : arms.first;
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, barrier));
    for (int before = 0; before < 2; before++) {
        GArray *edits = weiri_edits_new();
        take_out(edits, source, barrier);
        /* The same barrier of the other arm goes, too. */
        uint32_t last = WEIRI_STATEMENT_NONE;
        for (uint32_t i = other != WEIRI_STATEMENT_NONE
                 ? weiri_source_at(source, other)->first_child
                 : other;
             i != WEIRI_STATEMENT_NONE; i = weiri_source_at(source, i)->next) {
            last = last == WEIRI_STATEMENT_NONE && weiri_is_barrier(source, i) ? i
                                                                               : last;
        }
        if (last != WEIRI_STATEMENT_NONE) {
            take_out(edits, source, last);
        }
        (before ? weiri_edit_insert_before : weiri_edit_insert_after)(edits, source,
                                                                      branch, text);
        add(search, anchor, edits, barrier,
            before ? "out of the branch, before" : "out of the branch, after",
            before ? at->first_line : at->last_line,
            (before ? COST_BEFORE : COST_MOVE) + further);
    }
}

/* "if (c) { a; barrier; b; }" becomes "if (c) { a; } barrier; if (c) { b; }". */
static void suggest_split(struct weiri_search *search,
                          const struct weiri_anchor *anchor, uint32_t branch,
                          uint32_t arm, uint32_t barrier)
{
    const struct weiri_source *source = anchor->source;
    const struct weiri_statement *at = weiri_source_at(source, barrier);
    if (at->parent != arm || weiri_source_at(source, arm)->first_child == barrier
        || at->next == WEIRI_STATEMENT_NONE
        || arms_of(source, branch).second != WEIRI_STATEMENT_NONE) {
        return;
    }
    g_autofree char *condition = condition_of(source, branch);
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, barrier));
    g_autofree char *indent
        = weiri_source_indent(source, weiri_source_at(source, branch)->start);
    g_autofree char *inner = weiri_source_indent(source, at->start);
    bool apart = weiri_source_begins_line(source, at->start);
    size_t begin = at->start;
    if (apart) {
        begin -= strlen(inner);
    }
    g_autofree char *parts
        = g_strdup_printf("%s%s}\n%s%s\n%sif (%s) {", apart ? "" : "\n", indent, indent,
                          text, indent, condition);
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, begin, at->end, parts);
    add(search, anchor, edits, barrier, "between two parts of the branch at",
        weiri_source_at(source, branch)->first_line, COST_SPLIT);
}

/* Out of each branch that not all items of a group take. */
static void suggest_barrier(struct weiri_search *search,
                            const struct weiri_anchor *anchor, uint32_t barrier)
{
    const struct weiri_source *source = anchor->source;
    unsigned further = 0;
    for (uint32_t arm = barrier; arm != anchor->function;) {
        uint32_t branch = weiri_source_at(source, arm)->parent;
        if (branch == anchor->function) {
            return;
        }
        if (is_branch(source, branch)) {
            suggest_split(search, anchor, branch, arm, barrier);
            if (weiri_is_uniform(source, branch)) {
                suggest_beside(search, anchor, branch, arm, barrier, further);
            }
            further += COST_OUTER;
        }
        arm = branch;
    }
}

/* ---- Calls with a value ---------------------------------------------------------- */

/* A name that the text lacks. Returns: (transfer none) */
static const char *new_name(const struct weiri_source *source,
                            const char *const names[2])
{
    for (int i = 0; i < 2; i++) {
        g_autofree char *pattern = g_strdup_printf("\\b%s\\b", names[i]);
        if (!g_regex_match_simple(pattern, weiri_source_text(source, NULL), 0, 0)) {
            return names[i];
        }
    }
    return NULL;
}

/* Whether the statement calls only where a condition in it holds. */
static bool may_skip(const struct weiri_source *source, uint32_t statement)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    g_autofree char *text
        = weiri_text_of(source, (struct weiri_range){ at->start, at->head_end });
    return strstr(text, "&&") != NULL || strstr(text, "||") != NULL
        || strchr(text, '?') != NULL;
}

/* The call comes before the branches around it, and its value is used in them. All
 * items of a sub-group may take a branch that others of the group do not: the trial
 * shows it. */
static void suggest_hoist(struct weiri_search *search,
                          const struct weiri_anchor *anchor, uint32_t statement,
                          const struct weiri_call *call)
{
    static const char *const names[] = { "from_all", "value_from_all" };
    const struct weiri_source *source = anchor->source;
    const char *name = new_name(source, names);
    bool is_sycl = weiri_source_is_sycl(source);
    struct weiri_range all = is_sycl ? weiri_sycl_whole_call(source, call) : call->all;
    g_autofree char *text = weiri_text_of(source, all);
    unsigned cost = COST_MOVE;
    bool of_sub_group = weiri_is_of_sub_group(source, call);
    g_autofree char *type = weiri_source_is_opencl(source)
        ? weiri_opencl_type_of(source, anchor->function, call)
        : g_strdup(weiri_source_is_cpp(source) ? "auto" : "__auto_type");
    for (uint32_t i = statement; name != NULL && i != anchor->function;
         i = weiri_source_at(source, i)->parent) {
        bool escapes = is_branch(source, i) || (i == statement && may_skip(source, i));
        if (!escapes || (!of_sub_group && !weiri_is_uniform(source, i))) {
            continue;
        }
        char *line = g_strdup_printf("const %s %s = %s;", type, name, text);
        GArray *edits = weiri_edits_new();
        weiri_edit_insert_before(edits, source, i, line);
        weiri_edit_add(edits, all.begin, all.end, name);
        const struct weiri_fix_candidate draft = {
            .kind = WEIRI_FIX_MOVE_BARRIER,
            .file = anchor->file,
            .line = weiri_source_at(source, i)->first_line,
            .to = line,
            .title = g_strdup_printf("have all items call it, '%s', before", line),
            .cost = cost,
            .edits = edits,
        };
        weiri_search_add(search, &draft);
        cost += COST_OUTER;
    }
}

/* In CUDA, the lanes that a mask names become those that are here: others never come.
 * That is another result, which only the program can judge. */
static void suggest_mask(struct weiri_search *search, const struct weiri_anchor *anchor,
                         const struct weiri_call *call)
{
    const struct weiri_source *source = anchor->source;
    g_autofree char *name = weiri_text_of(source, call->name);
    if (!search->checked || !weiri_source_is_cuda(source) || call->n_arguments == 0
        || !(g_str_has_suffix(name, "_sync") || strcmp(name, "__syncwarp") == 0)) {
        return;
    }
    struct weiri_range mask = call->arguments[0];
    GArray *edits = weiri_edits_new();
    weiri_edit_add(edits, mask.begin, mask.end, "__activemask()");
    char *from = weiri_text_of(source, mask);
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_GUARD_INDEX,
        .file = anchor->file,
        .line = anchor->line,
        .from = from,
        .to = g_strdup("__activemask()"),
        .title = g_strdup_printf("__activemask() instead of %s at", from),
        .cost = COST_MASK,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* Several statements may be on the line of a finding. */
static void suggest_on_line(struct weiri_search *search,
                            const struct weiri_anchor *anchor)
{
    const struct weiri_source *source = anchor->source;
    for (uint32_t i = anchor->statement; i < weiri_source_n(source)
         && weiri_source_at(source, i)->first_line <= anchor->line;
         i++) {
        const struct weiri_statement *at = weiri_source_at(source, i);
        struct weiri_range own = { at->start, at->head_end };
        struct weiri_call call;
        if (weiri_source_line_of(source, at->head_end) < anchor->line) {
            continue;
        }
        if (weiri_is_barrier(source, i)) {
            suggest_barrier(search, anchor, i);
        } else if (weiri_find_meeting(source, own, &call)) {
            suggest_hoist(search, anchor, i, &call);
            suggest_mask(search, anchor, &call);
            weiri_call_clear(&call);
        }
    }
}

void weiri_suggest_moves(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    for (size_t p = 0; p < finding->n_parties; p++) {
        size_t n = weiri_anchors_of(search, &finding->parties[p], anchors);
        for (size_t a = 0; a < n; a++) {
            suggest_on_line(search, &anchors[a]);
        }
    }
}

/* ---- Returns --------------------------------------------------------------------- */

static bool is_return(const struct weiri_source *source, uint32_t statement)
{
    if (statement == WEIRI_STATEMENT_NONE) {
        return false;
    }
    g_autofree char *text
        = weiri_text_of(source, weiri_statement_range(source, statement));
    return g_regex_match_simple("^return\\s*;$", text, 0, 0);
}

/* The return that ends the kernel for some items: the statement, or the branch around
 * it; or NONE. */
static uint32_t return_at(const struct weiri_source *source, uint32_t statement)
{
    if (is_branch(source, statement)) {
        return is_return(source, only_of(source, arms_of(source, statement).first))
            ? statement
            : WEIRI_STATEMENT_NONE;
    }
    if (!is_return(source, statement)) {
        return WEIRI_STATEMENT_NONE;
    }
    uint32_t parent = weiri_source_at(source, statement)->parent;
    uint32_t above = weiri_source_at(source, parent)->parent;
    return is_branch(source, parent) ? parent
        : only_of(source, parent) == statement && is_branch(source, above)
        ? above
        : WEIRI_STATEMENT_NONE;
}

static void add_guard(struct weiri_search *search, const struct weiri_anchor *anchor,
                      uint32_t branch, GArray *edits, char *to, char *title,
                      unsigned cost)
{
    const struct weiri_fix_candidate draft = {
        .kind = WEIRI_FIX_GUARD_INDEX,
        .file = anchor->file,
        .line = weiri_source_at(anchor->source, branch)->first_line,
        .to = to,
        .title = title,
        .cost = cost,
        .edits = edits,
    };
    weiri_search_add(search, &draft);
}

/* The statements that follow may be correct for all items: each access may have a
 * guard. */
static void suggest_removal(struct weiri_search *search,
                            const struct weiri_anchor *anchor, uint32_t branch)
{
    const struct weiri_source *source = anchor->source;
    const struct weiri_statement *at = weiri_source_at(source, branch);
    GArray *edits = weiri_edits_new();
    if (weiri_source_at(source, at->parent)->kind == WEIRI_STATEMENT_BLOCK) {
        weiri_edit_remove(edits, source, branch);
    } else {
        weiri_edit_add(edits, at->start, at->end, ";");
    }
    add_guard(search, anchor, branch, edits, g_strdup(""),
              g_strdup("remove the return before a barrier at"), COST_REMOVE);
}

static bool is_declaration(const struct weiri_source *source, const char *text)
{
    if (weiri_source_is_sycl(source)) {
        return g_regex_match_simple(
            "^(?!return\\b|goto\\b|case\\b)(?:(?:const|constexpr|unsigned|static)\\s+)*"
            "(?:::)?(?:\\w+::)*[A-Za-z_]\\w*(?:\\s*<[^;]*>)?(?:\\s+|\\s*[*&]+\\s*)"
            "(?:const\\s+)?[A-Za-z_]\\w*\\s*(?:[[;,({]|=(?!=))",
            text, 0, 0);
    }
    return g_regex_match_simple(
        "^(?!return\\b|goto\\b|case\\b)(?:(?:const|volatile|unsigned|struct|static"
        "|(?:__)?(?:local|global|private|constant))\\s+)*"
        "[A-Za-z_]\\w*(?:\\s+|\\s*\\*+\\s*)(?:const\\s+)?[A-Za-z_]\\w*\\s*"
        "(?:\\[|=(?!=)|;|,)",
        text, 0, 0);
}

/* "v = args->in[i];": its value only for items with @guard, else 0. A pattern's only
 * group is the value. Returns: whether the statement is one */
static bool guard_value(GArray *edits, const struct weiri_source *source,
                        uint32_t statement, const char *pattern, const char *guard)
{
    struct weiri_range range = weiri_statement_range(source, statement);
    g_autofree char *text = weiri_text_of(source, range);
    g_autoptr(GRegex) regex = g_regex_new(pattern, 0, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    int begin, end;
    if (!g_regex_match(regex, text, 0, &match)
        || !g_match_info_fetch_pos(match, 1, &begin, &end)) {
        return false;
    }
    g_autofree char *before = g_strdup_printf("%s ? ", guard);
    weiri_edit_add(edits, range.begin + (size_t)begin, range.begin + (size_t)begin,
                   before);
    weiri_edit_add(edits, range.begin + (size_t)end, range.begin + (size_t)end, " : 0");
    return true;
}

/* Patterns of a declaration that reads memory, and of a write to memory of the
 * group. */
static const char DECLARED[] = "^[^=*]*?=\\s*(?!\\{)([^=;?]*(?:\\[|->)[^;?]*);$";
static const char SHARED[]
    = "^(?!\\*|\\w+->)[^=;]*\\[[^=;]*\\]\\s*=(?!=)\\s*([^;?]*);$";

/* The effect of items without the guard on memory that the group shares. */
enum others { WRITE_NOTHING, WRITE_ZERO };

/* Guards statements, except where items meet. */
static void guard(GArray *edits, const struct weiri_source *source, uint32_t statement,
                  const char *name, enum others others)
{
    const struct weiri_statement *at = weiri_source_at(source, statement);
    struct weiri_range range = { at->start, at->end };
    struct weiri_call call;
    if (weiri_find_meeting(source, range, &call)) {
        weiri_call_clear(&call);
        for (uint32_t i = at->first_child; i != WEIRI_STATEMENT_NONE;
             i = weiri_source_at(source, i)->next) {
            guard(edits, source, i, name, others);
        }
        return;
    }
    g_autofree char *text = weiri_text_of(source, range);
    if (at->kind == WEIRI_STATEMENT_SIMPLE && is_declaration(source, text)) {
        (void)guard_value(edits, source, statement, DECLARED, name);
    } else if (strcmp(text, ";") != 0
               && (others == WRITE_NOTHING || at->kind != WEIRI_STATEMENT_SIMPLE
                   || !guard_value(edits, source, statement, SHARED, name))) {
        g_autofree char *head = g_strdup_printf("if (%s) ", name);
        weiri_edit_add(edits, at->start, at->start, head);
    }
}

static void suggest_guards(struct weiri_search *search,
                           const struct weiri_anchor *anchor, uint32_t branch)
{
    static const char *const names[] = { "inside", "is_inside" };
    const struct weiri_source *source = anchor->source;
    const struct weiri_statement *at = weiri_source_at(source, branch);
    const char *name = new_name(source, names);
    if (name == NULL
        || weiri_source_at(source, at->parent)->parent != anchor->function) {
        return;
    }
    g_autofree char *condition = condition_of(source, branch);
    for (enum others others = WRITE_NOTHING; others <= WRITE_ZERO; others++) {
        char *line = g_strdup_printf("const bool %s = !(%s);", name, condition);
        GArray *edits = weiri_edits_new();
        weiri_edit_add(edits, at->start, at->end, line);
        for (uint32_t i = at->next; i != WEIRI_STATEMENT_NONE;
             i = weiri_source_at(source, i)->next) {
            guard(edits, source, i, name, others);
        }
        add_guard(search, anchor, branch, edits, line,
                  g_strdup_printf("put '%s' in place of the return, and 'if (%s)' "
                                  "before what follows%s, at",
                                  line, name,
                                  others == WRITE_ZERO
                                      ? ", with 0 for what the others would write"
                                      : ""),
                  COST_GUARD + others);
    }
}

void weiri_suggest_guarded(struct weiri_search *search)
{
    const struct weir_finding *finding = search->finding;
    struct weiri_anchor anchors[WEIRI_MOST_ANCHORS];
    for (size_t p = 0; p < finding->n_parties; p++) {
        if (weiri_anchors_of(search, &finding->parties[p], anchors) == 0) {
            continue;
        }
        const struct weiri_source *source = anchors[0].source;
        uint32_t branch = WEIRI_STATEMENT_NONE; /* on that line, perhaps the second */
        for (uint32_t i = anchors[0].statement;
             branch == WEIRI_STATEMENT_NONE && i < weiri_source_n(source)
             && weiri_source_at(source, i)->first_line <= anchors[0].line;
             i++) {
            branch = return_at(source, i);
        }
        if (branch != WEIRI_STATEMENT_NONE
            && arms_of(source, branch).second == WEIRI_STATEMENT_NONE) {
            if (search->checked) {
                suggest_removal(search, &anchors[0], branch);
            }
            suggest_guards(search, &anchors[0], branch);
        }
    }
}
