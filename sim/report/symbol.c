/* SPDX-License-Identifier: MIT
 *
 * symbol.c: from addresses of this process to its source, by elfutils' libdw.
 *
 * An address lies in a chain of functions: one that the compiler emitted, and in it the
 * inlined ones, each in the one before. The line table has the place of the innermost
 * function; the place of every other function is the call of the one that is inlined
 * into it:
 *
 *   K__fast               the loop over a kernel's items, or one of them
 *     K__body             called at   tree.c:20:1
 *       helper            called at   tree.c:41:9
 *         weiri_meet      called at   tree.c:12:5
 *           the line table says       weir-machinery.h:554:5
 *
 * A site is the line where a user's own function stands, so every function is joined
 * with the position below it, and Weir's functions are left out: helper at tree.c:12,
 * "kernel K" at tree.c:41.
 *
 * Functions and data are looked up here both, and the file is long for it: they share
 * the modules, the units and the names of files, which are half of it.
 *
 * The return address of a call is the next instruction, which may belong to another
 * line or another function; the byte before it lies in the call itself.
 *
 * libdw puts the folder where the compiler ran in front of some file names. They must
 * equal the __FILE__ of the machine's sites, so as_given() takes that away again. Where
 * a file lies in or under that folder and was named from the root, not every compiler
 * keeps the difference; then the name is the shorter one.
 *
 * Invariants: an address is looked up once, and the result never changes. If a library
 * is unloaded and another is loaded at the same address, this is not noticed.
 *
 * The file is long because each question walks the same debug information, by handles
 * of libdw that no other file holds. */
#include "config.h"

#include "report/symbol.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* Numbers for a kernel of OpenCL C, from LLVM's Dwarf.def. */
enum { DW_CC_LLVM_OpenCLKernel = 0xc7 };

/* Wider than any line that was written to be read. */
enum { SOURCE_CHARACTERS = 200 };

/* Functions that are generated around kernels of OpenCL C: sim/opencl-cc/entries.c. */
static const char GENERATED[] = "weiri_k_";

/* A position in the source; no @file means that it is not known. */
struct position {
    const char *file; /* interned, from the root */
    const char *name; /* interned, as the compiler was given it */
    uint32_t line;
    uint32_t column;
};

/* The result for an address; lives as long as the process. */
struct address {
    uint32_t place;
    size_t n_frames;
    struct weir_frame *frames;
};

/* A unit of compilation. */
struct unit {
    Dwarf_Die die;
    Dwarf_Addr bias;    /* from its addresses to the process's */
    const char *name;   /* the source file, as the compiler was given it, or "" */
    const char *folder; /* where the compiler ran, or "" */
};

/* Guards everything below. */
static GMutex mutex;
static Dwfl *dwfl;            /* NULL where libdw does not work here */
static GHashTable *addresses; /* pc: struct address */
static GHashTable *places;    /* a chain of calls, as text: its number */
static GHashTable *codes;     /* a unit's data: GArray of struct code */
static GHashTable *kernels; /* a function: "kernel K", where its name does not say it */
static GPtrArray *headers;  /* folders of C++ headers of our own, interned; or NULL */
static GPtrArray *trees;    /* of these those whose folders are our own, too; or NULL */
static GHashTable *texts;   /* file: GBytes, or NULL where it cannot be read */

/* ---- Modules ------------------------------------------------------------- */

/* Debug information is in the module itself or in a file beside the system's others.
 * libdw's own search would ask servers on the network. */
static int find_debuginfo(Dwfl_Module *module, void **user, const char *name,
                          Dwarf_Addr base, const char *file, const char *link,
                          GElf_Word checksum, char **found)
{
    return dwfl_build_id_find_debuginfo(module, user, name, base, file, link, checksum,
                                        found);
}

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_linux_proc_find_elf,
    .find_debuginfo = find_debuginfo,
};

/* One object that the loader has, unless it is known. */
static int report_object(struct dl_phdr_info *object, size_t bytes, void *data)
{
    (void)bytes;
    (void)data;
    GElf_Addr start = UINT64_MAX, end = 0;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        if (part->p_type == PT_LOAD) {
            start = MIN(start, object->dlpi_addr + part->p_vaddr);
            end = MAX(end, object->dlpi_addr + part->p_vaddr + part->p_memsz);
        }
    }
    const char *name = object->dlpi_name != NULL ? object->dlpi_name : "";
    g_autofree char *path = *name == '\0' ? g_file_read_link("/proc/self/exe", NULL)
        : strchr(name, '/') != NULL       ? g_canonicalize_filename(name, NULL)
                                          : NULL; /* the kernel's own has no file */
    if (path != NULL && start < end && dwfl_addrmodule(dwfl, start) == NULL) {
        (void)dwfl_report_module(dwfl, path, start, end);
    }
    return 0;
}

/* Those that are not known yet. The list of mappings is of no use: it has files that
 * are read as data, too, among them those that libdw reads, and where one has several
 * mappings, libdw takes what lies between them for a part of it. */
static void report_modules(void)
{
    dwfl_report_begin_add(dwfl);
    (void)dl_iterate_phdr(report_object, NULL);
    (void)dwfl_report_end(dwfl, NULL, NULL);
}

static void begin(void)
{
    if (addresses != NULL) {
        return;
    }
    addresses = g_hash_table_new(NULL, NULL);
    places = g_hash_table_new(g_str_hash, g_str_equal);
    texts = g_hash_table_new(g_str_hash, g_str_equal);
    dwfl = dwfl_begin(&callbacks);
    if (dwfl != NULL) {
        report_modules();
    }
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    const char *text = dwarf_formstring(dwarf_attr(die, name, &attribute));
    return text != NULL ? text : "";
}

static void unit_init(struct unit *unit, const Dwarf_Die *die, Dwarf_Addr bias)
{
    unit->die = *die;
    unit->bias = bias;
    unit->name = text_of(&unit->die, DW_AT_name);
    unit->folder = text_of(&unit->die, DW_AT_comp_dir);
}

/* The unit of an address. gcc writes a table of them; clang does not. */
static bool find_unit(Dwfl_Module *module, Dwarf_Addr at, struct unit *unit)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *die = dwfl_module_addrdie(module, at, &bias);
    /* Units without a table of addresses, as clang makes them, are not found, or lie
     * between the addresses of others and are taken for the unit before. */
    if (die == NULL || dwarf_haspc(die, at - bias) <= 0) {
        die = NULL;
        do {
            die = dwfl_module_nextcu(module, die, &bias);
        } while (die != NULL && dwarf_haspc(die, at - bias) <= 0);
    }
    if (die == NULL) {
        return false;
    }
    unit_init(unit, die, bias);
    return true;
}

/* ---- Positions ----------------------------------------------------------- */

/* Whether the folder of @file is one of those that the compiler was given. */
static bool is_in_named_folder(Dwarf_Files *files, const char *file)
{
    const char *const *folders;
    size_t n = 0;
    if (files == NULL || dwarf_getsrcdirs(files, &folders, &n) != 0) {
        return false;
    }
    size_t length = (size_t)(strrchr(file, '/') - file);
    for (size_t i = 1; i < n; i++) { /* 0 is where it ran */
        if (folders[i] != NULL && strlen(folders[i]) == length
            && strncmp(folders[i], file, length) == 0) {
            return true;
        }
    }
    return false;
}

/* The part of a whole name that the compiler was given. A unit that was named from
 * the root takes its headers from there too; else a header is named from the root only
 * where its folder was. */
static const char *as_given(struct unit *unit, Dwarf_Files *files, const char *file)
{
    size_t length = strlen(unit->folder);
    if (length == 0 || strncmp(file, unit->folder, length) != 0 || file[length] != '/'
        || unit->name[0] == '/' || is_in_named_folder(files, file)) {
        return g_intern_string(file);
    }
    return g_intern_string(file + length + 1);
}

/* One name for a file, in any folder of its compilation. */
static const char *from_root(const struct unit *unit, const char *file)
{
    if (!g_path_is_absolute(unit->folder)) {
        return g_intern_string(file);
    }
    char *path = g_canonicalize_filename(file, unit->folder);
    const char *interned = g_intern_string(path);
    g_free(path);
    return interned;
}

static struct position position_of(struct unit *unit, const char *file, int line,
                                   int column)
{
    struct position position = { NULL, NULL, 0, 0 };
    if (file != NULL) {
        Dwarf_Files *files = NULL;
        size_t n;
        (void)dwarf_getsrcfiles(&unit->die, &files, &n);
        position.file = from_root(unit, file);
        position.name = as_given(unit, files, file);
        position.line = line > 0 ? (uint32_t)line : 0;
        position.column = column > 0 ? (uint32_t)column : 0;
    }
    return position;
}

/* Line 0 is code that compilers join of several places, such as a branch at the end of
 * a loop. It belongs to what comes before it in the same file. */
static Dwarf_Line *line_before(struct unit *unit, Dwarf_Line *line)
{
    Dwarf_Lines *lines = NULL;
    size_t n = 0, i = 0;
    (void)dwarf_getsrclines(&unit->die, &lines, &n);
    while (i < n && dwarf_onesrcline(lines, i) != line) {
        i++;
    }
    const char *file = dwarf_linesrc(line, NULL, NULL);
    for (; i > 0; i--) {
        Dwarf_Line *before = dwarf_onesrcline(lines, i - 1);
        const char *source = dwarf_linesrc(before, NULL, NULL);
        int number = 0;
        bool ends = false;
        (void)dwarf_lineno(before, &number);
        if (dwarf_lineendsequence(before, &ends) != 0 || ends) {
            return line;
        }
        if (number > 0 && g_strcmp0(source, file) == 0) {
            return before;
        }
    }
    return line;
}

static struct position position_at(struct unit *unit, Dwarf_Addr at)
{
    int number = 0, column = 0;
    Dwarf_Line *line = dwarf_getsrc_die(&unit->die, at - unit->bias);
    if (line == NULL) {
        return position_of(unit, NULL, 0, 0);
    }
    (void)dwarf_lineno(line, &number);
    if (number == 0) {
        line = line_before(unit, line);
        (void)dwarf_lineno(line, &number);
    }
    (void)dwarf_linecol(line, &column);
    return position_of(unit, dwarf_linesrc(line, NULL, NULL), number, column);
}

static Dwarf_Word number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number = 0;
    (void)dwarf_formudata(dwarf_attr(die, name, &attribute), &number);
    return number;
}

/* Where a function that was inlined was called. */
static struct position position_of_call(struct unit *unit, Dwarf_Die *function)
{
    Dwarf_Files *files;
    size_t n = 0;
    size_t file = number_of(function, DW_AT_call_file);
    const char *name = NULL;
    if (dwarf_getsrcfiles(&unit->die, &files, &n) == 0 && file < n) {
        name = dwarf_filesrc(files, file, NULL, NULL);
    }
    return position_of(unit, name, (int)number_of(function, DW_AT_call_line),
                       (int)number_of(function, DW_AT_call_column));
}

/* ---- Functions ----------------------------------------------------------- */

/* A part of a function that the compiler emitted. */
struct code {
    Dwarf_Addr from, to;
    Dwarf_Die function;
};

/* Whether there may be functions under @die. C++ has functions in classes, and lambdas
 * in other functions. To look at everything under any entry would take most of the time
 * of a short run in C++. */
static bool may_hold_code(Dwarf_Die *die)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_subprogram:
        return !dwarf_hasattr(die, DW_AT_declaration);
    case DW_TAG_namespace:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_lexical_block:
        return true;
    default:
        return false;
    }
}

/* Adds all code of the functions under @die. */
static void add_code(Dwarf_Die *die, GArray *all)
{
    Dwarf_Die child;
    for (int next = dwarf_child(die, &child); next == 0;
         next = dwarf_siblingof(&child, &child)) {
        Dwarf_Addr base, from, to;
        ptrdiff_t at = 0;
        while (dwarf_tag(&child) == DW_TAG_subprogram
               && (at = dwarf_ranges(&child, at, &base, &from, &to)) > 0) {
            struct code code = { from, to, child };
            g_array_append_val(all, code);
        }
        if (may_hold_code(&child)) {
            add_code(&child, all);
        }
    }
}

static int compare_code(const void *a, const void *b)
{
    Dwarf_Addr first = ((const struct code *)a)->from;
    Dwarf_Addr second = ((const struct code *)b)->from;
    return first < second ? -1 : first > second;
}

/* The functions of a unit, by address; made once for each. */
static GArray *code_of(struct unit *unit)
{
    if (codes == NULL) {
        codes = g_hash_table_new(NULL, NULL);
    }
    GArray *all = g_hash_table_lookup(codes, unit->die.addr);
    if (all == NULL) {
        all = g_array_new(FALSE, FALSE, sizeof(struct code));
        add_code(&unit->die, all);
        g_array_sort(all, compare_code);
        g_hash_table_insert(codes, unit->die.addr, all);
    }
    return all;
}

/* Appends to @chain the functions that were inlined under @die where @at lies,
 * outermost first. */
static void descend(Dwarf_Die *die, Dwarf_Addr at, GArray *chain)
{
    Dwarf_Die child;
    for (int next = dwarf_child(die, &child); next == 0;
         next = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) != DW_TAG_subprogram && dwarf_haspc(&child, at) > 0) {
            if (dwarf_tag(&child) == DW_TAG_inlined_subroutine) {
                g_array_append_val(chain, child);
            }
            descend(&child, at, chain);
            return;
        }
    }
}

/* The functions that @at lies in, outermost first: the one that was emitted, and those
 * that were inlined. Owned by the caller. */
static GArray *chain_at(struct unit *unit, Dwarf_Addr at)
{
    GArray *chain = g_array_new(FALSE, FALSE, sizeof(Dwarf_Die));
    GArray *all = code_of(unit);
    guint low = 0, high = all->len;
    while (low < high) { /* the first code after @at */
        guint middle = low + (high - low) / 2;
        if (g_array_index(all, struct code, middle).from <= at) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    struct code *found = low > 0 ? &g_array_index(all, struct code, low - 1) : NULL;
    if (found != NULL && at < found->to) {
        g_array_append_val(chain, found->function);
        descend(&found->function, at, chain);
    }
    return chain;
}

static const char *function_name(GArray *chain, size_t index)
{
    const char *name = dwarf_diename(&g_array_index(chain, Dwarf_Die, index));
    return name != NULL ? name : "?";
}

/* Whether @name is a loop that WEIR_KERNEL() makes around a body. */
static bool is_loop(const char *name)
{
    static const char *const loops[]
        = { "__fast", "__checked", "__checked_item", "__stackless", "__split_item" };
    bool found = false;
    for (size_t i = 0; i < G_N_ELEMENTS(loops); i++) {
        found |= g_str_has_suffix(name, loops[i]);
    }
    return found;
}

/* Whether a function is a kernel of OpenCL C: clang notes that in the calling
 * convention. */
static bool is_opencl_kernel(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Word convention = 0;
    return dwarf_formudata(
               dwarf_attr_integrate(function, DW_AT_calling_convention, &attribute),
               &convention)
        == 0
        && convention == DW_CC_LLVM_OpenCLKernel;
}

/* "kernel K" for any function of kernel K. */
static const char *kernel_name(const char *function)
{
    char *kernel = g_strdup_printf("kernel %s", function);
    *g_strrstr(kernel, "__") = '\0';
    const char *interned = g_intern_string(kernel);
    g_free(kernel);
    return interned;
}

static uint32_t place_of(const char *chain)
{
    void *number = g_hash_table_lookup(places, chain);
    if (number == NULL) {
        number = GUINT_TO_POINTER(g_hash_table_size(places) + 1);
        g_hash_table_insert(places, g_strdup(chain), number);
    }
    return GPOINTER_TO_UINT(number);
}

/* ---- Addresses ----------------------------------------------------------- */

static void add_frame(GArray *frames, const char *function,
                      const struct position *position)
{
    struct weir_frame frame = { function, position->name, position->line };
    g_array_append_val(frames, frame);
}

/* Adds a frame from the linker's symbols, which have a name and nothing else. */
static void add_symbol(Dwfl_Module *module, Dwarf_Addr at,
                       const struct position *position, GArray *frames)
{
    const char *name = dwfl_module_addrname(module, at);
    if (name != NULL && !g_str_has_prefix(name, GENERATED)) {
        add_frame(frames, is_loop(name) ? kernel_name(name) : g_intern_string(name),
                  position);
    }
}

/* Functions of Weir's own headers: weiri_meet(), weir_local_id(), and all of the SYCL
 * header; and of the headers of C++ and of OpenCL for C++, which a program cannot
 * change either. */
static bool is_own(const char *name, const char *file)
{
    static const char *const bindings[] = { "opencl.hpp", "cl2.hpp", "cl.hpp" };
    const char *slash = file != NULL ? strrchr(file, '/') : NULL;
    const char *base = slash != NULL ? slash + 1 : file;
    if (file != NULL && strstr(file, "/include/c++/") != NULL) {
        return true;
    }
    for (size_t i = 0; base != NULL && i < G_N_ELEMENTS(bindings); i++) {
        if (strcmp(base, bindings[i]) == 0) {
            return true;
        }
    }
    for (guint i = 0; slash != NULL && headers != NULL && i < headers->len; i++) {
        const char *folder = g_ptr_array_index(headers, i);
        if (folder[0] != '\0' && g_str_has_prefix(file, folder)) {
            return true;
        }
    }
    for (guint i = 0; slash != NULL && trees != NULL && i < trees->len; i++) {
        if (g_str_has_prefix(file, g_ptr_array_index(trees, i))) {
            return true;
        }
    }
    return g_str_has_prefix(name, "weiri_")
        || (g_str_has_prefix(name, "weir_") && base != NULL
            && strcmp(base, "weir-machinery.h") == 0);
}

/* The outermost frame in a function of which weiri_symbol_kernel() has heard. */
static void name_kernel(struct unit *unit, Dwarf_Die *function, GArray *frames)
{
    Dwarf_Addr entry;
    if (kernels != NULL && frames->len > 0 && dwarf_entrypc(function, &entry) == 0) {
        const char *name
            = g_hash_table_lookup(kernels, (void *)(uintptr_t)(entry + unit->bias));
        struct weir_frame *last
            = &g_array_index(frames, struct weir_frame, frames->len - 1);
        last->function = name != NULL ? name : last->function;
    }
}

/* The frames of a chain of functions, and the place as a text of all of it. The body of
 * a kernel ends both: the loops around it are copies of one. */
static void add_chain(struct unit *unit, GArray *chain, struct position position,
                      GArray *frames, GString *place)
{
    for (size_t i = chain->len; i-- > 0;) {
        const char *name = function_name(chain, i);
        bool is_body = i > 0 && g_str_has_suffix(name, "__body")
            && is_loop(function_name(chain, i - 1));
        g_string_append_printf(place, "%s %s:%u:%u\n", name,
                               position.file != NULL ? position.file : "?",
                               position.line, position.column);
        if (is_body && g_str_has_prefix(name, GENERATED)) {
            return; /* the kernel itself is the last frame */
        }
        if (is_body) {
            add_frame(frames, kernel_name(name), &position);
            return;
        }
        if (is_opencl_kernel(&g_array_index(chain, Dwarf_Die, i))) {
            char *kernel = g_strdup_printf("kernel %s", name);
            add_frame(frames, g_intern_string(kernel), &position);
            g_free(kernel);
        } else if (!is_own(name, position.file) && !(i == 0 && is_loop(name))) {
            add_frame(frames, g_intern_string(name), &position);
        }
        position = position_of_call(unit, &g_array_index(chain, Dwarf_Die, i));
    }
    name_kernel(unit, &g_array_index(chain, Dwarf_Die, 0), frames);
}

/* All that is known. The place stays empty where the chain is not. */
static void expand(Dwarf_Addr at, GArray *frames, GString *place)
{
    struct unit unit;
    struct position position = { NULL, NULL, 0, 0 };
    Dwfl_Module *module = dwfl != NULL ? dwfl_addrmodule(dwfl, at) : NULL;
    if (module == NULL) {
        return;
    }
    if (!find_unit(module, at, &unit)) {
        add_symbol(module, at, &position, frames);
        return;
    }
    position = position_at(&unit, at);
    GArray *chain = chain_at(&unit, at - unit.bias);
    if (chain->len > 0) {
        add_chain(&unit, chain, position, frames, place);
    } else {
        add_symbol(module, at, &position, frames);
    }
    g_array_free(chain, TRUE);
}

static const struct address *look_up(const void *pc)
{
    begin();
    struct address *address = g_hash_table_lookup(addresses, pc);
    if (address != NULL) {
        return address;
    }
    Dwarf_Addr at = (Dwarf_Addr)(uintptr_t)pc - 1;
    GArray *frames = g_array_new(FALSE, FALSE, sizeof(struct weir_frame));
    GString *place = g_string_new(NULL);
    expand(at, frames, place);
    if (frames->len == 0 && place->len == 0 && dwfl != NULL) {
        report_modules(); /* it may be of a library that came later */
        expand(at, frames, place);
    }
    if (place->len == 0) {
        g_string_printf(place, "%p", pc);
    }
    address = g_new(struct address, 1);
    address->place = place_of(place->str);
    address->n_frames = frames->len;
    address->frames = (struct weir_frame *)(void *)g_array_free(frames, FALSE);
    g_hash_table_insert(addresses, (void *)pc, address);
    g_string_free(place, TRUE);
    return address;
}

size_t weiri_symbol_frames(const void *pc, struct weir_frame *frames, size_t most)
{
    g_mutex_lock(&mutex);
    const struct address *address = look_up(pc);
    size_t n = MIN(address->n_frames, most);
    for (size_t i = 0; i < n; i++) {
        frames[i] = address->frames[i];
    }
    g_mutex_unlock(&mutex);
    return n;
}

uint32_t weiri_symbol_place(const void *pc)
{
    g_mutex_lock(&mutex);
    uint32_t place = look_up(pc)->place;
    g_mutex_unlock(&mutex);
    return place;
}

/* ---- Data ---------------------------------------------------------------- */

/* Whether a variable's location is the one address @at. DWARF 5 may keep the address in
 * a table, and give its index in the location. */
static bool is_at(Dwarf_Die *variable, Dwarf_Addr at)
{
    Dwarf_Attribute location, value;
    Dwarf_Op *op;
    size_t n;
    Dwarf_Addr address;
    if (dwarf_attr(variable, DW_AT_location, &location) == NULL
        || dwarf_getlocation(&location, &op, &n) != 0 || n != 1) {
        return false;
    }
    if (op->atom == DW_OP_addrx) {
        return dwarf_getlocation_attr(&location, op, &value) == 0
            && dwarf_formaddr(&value, &address) == 0 && address == at;
    }
    return op->atom == DW_OP_addr && op->number == at;
}

/* The variable under @die that is at @at. */
static bool find_variable(Dwarf_Die *die, Dwarf_Addr at, Dwarf_Die *found)
{
    Dwarf_Die child;
    for (int next = dwarf_child(die, &child); next == 0;
         next = dwarf_siblingof(&child, &child)) {
        switch (dwarf_tag(&child)) {
        case DW_TAG_variable:
            if (is_at(&child, at)) {
                *found = child;
                return true;
            }
            break;
        case DW_TAG_subprogram:
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
            if (find_variable(&child, at, found)) {
                return true;
            }
            break;
        default:
            break;
        }
    }
    return false;
}

static bool find_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die plain;
    if (dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type)
            == NULL
        || dwarf_peel_type(type, &plain) != 0) {
        return false;
    }
    *type = plain;
    return true;
}

static bool find_static(Dwfl_Module *module, Dwarf_Addr start, Dwarf_Die *variable)
{
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL) {
        if (find_variable(unit, start - bias, variable)) {
            return true;
        }
    }
    return false;
}

static bool find_structure(Dwarf_Die *die, Dwarf_Die *type)
{
    return find_type(die, type)
        && (dwarf_tag(type) == DW_TAG_structure_type
            || dwarf_tag(type) == DW_TAG_class_type
            || dwarf_tag(type) == DW_TAG_union_type);
}

static bool is_passed_by_reference(Dwarf_Die *type)
{
    return number_of(type, DW_AT_calling_convention) == DW_CC_pass_by_reference;
}

/* Whether a parameter of @function is a structure whose bytes are copied. */
static bool takes_structure(Dwarf_Die *function)
{
    Dwarf_Die child, type;
    for (int next = dwarf_child(function, &child); next == 0;
         next = dwarf_siblingof(&child, &child)) {
        if (dwarf_tag(&child) == DW_TAG_formal_parameter
            && find_structure(&child, &type) && !is_passed_by_reference(&type)) {
            return true;
        }
    }
    return false;
}

/* System V ABI for x86-64, 3.2.3: what is longer than two words is in memory; Itanium
 * C++ ABI, 3.1.3: so is what cannot be copied like bytes. */
struct weiri_symbol_result weiri_symbol_result(const void *pc)
{
    enum { MOST_IN_REGISTERS = 16 };
    struct weiri_symbol_result result = { 0 };
    struct unit unit;
    Dwarf_Addr at = (Dwarf_Addr)(uintptr_t)pc;
    g_mutex_lock(&mutex);
    begin();
    Dwfl_Module *module = dwfl != NULL ? dwfl_addrmodule(dwfl, at) : NULL;
    if (module != NULL && find_unit(module, at, &unit)) {
        g_autoptr(GArray) chain = chain_at(&unit, at - unit.bias);
        Dwarf_Die type;
        Dwarf_Word bytes;
        Dwarf_Die *function
            = chain->len > 0 ? &g_array_index(chain, Dwarf_Die, 0) : NULL;
        if (function != NULL && find_structure(function, &type)
            && dwarf_aggregate_size(&type, &bytes) == 0) {
            result.bytes = bytes;
            result.in_memory
                = bytes > MOST_IN_REGISTERS || is_passed_by_reference(&type);
        }
        result.takes = function != NULL && takes_structure(function);
    }
    g_mutex_unlock(&mutex);
    return result;
}

bool weiri_symbol_gnu(const void *pc)
{
    struct unit unit;
    Dwarf_Addr at = (Dwarf_Addr)(uintptr_t)pc;
    g_mutex_lock(&mutex);
    begin();
    Dwfl_Module *module = dwfl != NULL ? dwfl_addrmodule(dwfl, at) : NULL;
    bool gnu = module != NULL && find_unit(module, at, &unit)
        && g_str_has_prefix(text_of(&unit.die, DW_AT_producer), "GNU");
    g_mutex_unlock(&mutex);
    return gnu;
}

/* Bytes of a variable's element, or 0. */
static size_t element_of(Dwarf_Die *variable)
{
    Dwarf_Die type, element;
    Dwarf_Word bytes;
    if (!find_type(variable, &type)) {
        return 0;
    }
    if (dwarf_tag(&type) == DW_TAG_array_type) {
        if (!find_type(&type, &element)) {
            return 0;
        }
        type = element;
    }
    return dwarf_aggregate_size(&type, &bytes) == 0 ? bytes : 0;
}

/* "n.1234" of a variable in a function is "n". */
static const char *plain_name(const char *name)
{
    size_t length = strlen(name), end = length;
    while (end > 0 && g_ascii_isdigit(name[end - 1])) {
        end--;
    }
    bool numbered = end > 1 && end < length && name[end - 1] == '.';
    char *plain = g_strndup(name, numbered ? end - 1 : length);
    const char *interned = g_intern_string(plain);
    g_free(plain);
    return interned;
}

static const char *object_at(Dwfl_Module *module, Dwarf_Addr at, size_t *offset,
                             size_t *element_bytes)
{
    GElf_Sym symbol;
    GElf_Off from_start;
    const char *name = module == NULL
        ? NULL
        : dwfl_module_addrinfo(module, at, &from_start, &symbol, NULL, NULL, NULL);
    if (name == NULL || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT
        || from_start >= symbol.st_size) {
        return NULL;
    }
    Dwarf_Die variable;
    bool described = find_static(module, at - from_start, &variable);
    size_t known_bytes = described ? element_of(&variable) : 0;
    size_t number_bytes = symbol.st_size <= sizeof(uint64_t) ? symbol.st_size : 1;
    const char *own_name = described ? dwarf_diename(&variable) : NULL;
    *offset = from_start;
    *element_bytes = known_bytes != 0 ? known_bytes : number_bytes;
    return own_name != NULL ? g_intern_string(own_name) : plain_name(name);
}

const char *weiri_symbol_object(const volatile void *address, size_t *offset,
                                size_t *element_bytes)
{
    g_mutex_lock(&mutex);
    begin();
    const char *name = NULL;
    if (dwfl != NULL) {
        Dwarf_Addr at = (Dwarf_Addr)(uintptr_t)address;
        /* Data that is zero at first is in no file, and so in no module; but it belongs
         * to the program that this function is in. */
        Dwarf_Addr own = (Dwarf_Addr)(uintptr_t)&weiri_symbol_object;
        name = object_at(dwfl_addrmodule(dwfl, at), at, offset, element_bytes);
        if (name == NULL) {
            name = object_at(dwfl_addrmodule(dwfl, own), at, offset, element_bytes);
        }
    }
    g_mutex_unlock(&mutex);
    return name;
}

/* ---- Source -------------------------------------------------------------- */

static GBytes *read_file(const char *path)
{
    char *text;
    gsize bytes;
    /* A pipe of that name would be waited for. */
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR)
        || !g_file_get_contents(path, &text, &bytes, NULL)) {
        return NULL;
    }
    return g_bytes_new_take(text, bytes);
}

/* A search of all units' folders for a file. */
struct search {
    const char *file;
    bool named;          /* only units whose source file it is */
    bool system;         /* the system's libraries, too */
    GHashTable *folders; /* where it is not */
    GBytes *found;
};

/* A leading "./" is what one compiler keeps and another takes away. */
static bool is_same_name(const char *a, const char *b)
{
    a += g_str_has_prefix(a, "./") ? 2 : 0;
    b += g_str_has_prefix(b, "./") ? 2 : 0;
    return strcmp(a, b) == 0;
}

static int search_module(Dwfl_Module *module, void **user, const char *name,
                         Dwarf_Addr base, void *argument)
{
    (void)user, (void)base;
    struct search *search = argument;
    /* Reading what describes the C library takes a tenth of a second. */
    if (!search->system
        && (g_str_has_prefix(name, "/usr/lib") || g_str_has_prefix(name, "/lib"))) {
        return DWARF_CB_OK;
    }
    Dwarf_Addr bias;
    Dwarf_Die *die = NULL;
    while ((die = dwfl_module_nextcu(module, die, &bias)) != NULL) {
        struct unit unit;
        unit_init(&unit, die, bias);
        if ((search->named && !is_same_name(unit.name, search->file))
            || !g_hash_table_add(search->folders, (void *)unit.folder)) {
            continue;
        }
        char *path = g_build_filename(unit.folder, search->file, NULL);
        search->found = unit.folder[0] != '\0' ? read_file(path) : NULL;
        g_free(path);
        if (search->found != NULL) {
            return DWARF_CB_ABORT;
        }
    }
    return DWARF_CB_OK;
}

static GBytes *search_units(const char *file, bool named, bool system)
{
    struct search search
        = { file, named, system, g_hash_table_new(g_str_hash, g_str_equal), NULL };
    if (dwfl != NULL) {
        (void)dwfl_getmodules(dwfl, search_module, &search, 0);
    }
    g_hash_table_destroy(search.folders);
    return search.found;
}

/* Where a unit of that name was compiled, since another program's file of that name
 * may lie here; then here; then, as for headers, where anything was compiled. */
static GBytes *find_file(const char *file)
{
    if (g_path_is_absolute(file)) {
        return read_file(file);
    }
    GBytes *found = search_units(file, true, false);
    if (found == NULL) {
        found = read_file(file);
    }
    return found != NULL ? found : search_units(file, false, true);
}

static GBytes *text_of_file(const char *file)
{
    void *text = NULL;
    if (!g_hash_table_lookup_extended(texts, file, NULL, &text)) {
        text = find_file(file);
        g_hash_table_insert(texts, g_strdup(file), text);
    }
    return text;
}

/* Line @line of a text and its @length, or NULL. */
static const char *find_line(GBytes *text, uint32_t line, size_t *length)
{
    size_t left;
    const char *from = g_bytes_get_data(text, &left);
    while (left > 0) {
        const char *newline = memchr(from, '\n', left);
        *length = newline != NULL ? (size_t)(newline - from) : left;
        if (--line == 0) {
            return from;
        }
        size_t bytes = MIN(*length + 1, left);
        from += bytes;
        left -= bytes;
    }
    return NULL;
}

/* Whether a terminal shows @c as itself. Formats, which are not to be seen, can turn
 * the order of what follows. */
static bool is_shown(gunichar c)
{
    switch (g_unichar_type(c)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return false;
    default:
        return true;
    }
}

/* For one line of a report, with any bytes in the file. */
static char *cleaned(const char *text, size_t length)
{
    char *valid = g_utf8_make_valid(text, (gssize)length);
    GString *clean = g_string_new(NULL);
    size_t n = 0;
    for (const char *at = g_strstrip(valid); *at != '\0'; at = g_utf8_next_char(at)) {
        if (n++ == SOURCE_CHARACTERS) {
            g_string_append(clean, "…");
            break;
        }
        gunichar c = g_utf8_get_char(at);
        if (c == 0xfeff) {
            continue; /* a byte order mark */
        }
        g_string_append_unichar(clean, c == '\t' ? ' ' : is_shown(c) ? c : 0xfffd);
    }
    g_free(valid);
    return g_string_free(clean, FALSE);
}

const char *weiri_symbol_source(const char *file, uint32_t line)
{
    if (file == NULL || line == 0) {
        return NULL;
    }
    g_mutex_lock(&mutex);
    begin();
    const char *source = NULL;
    GBytes *text = text_of_file(file);
    size_t length;
    const char *from = text != NULL ? find_line(text, line, &length) : NULL;
    if (from != NULL) {
        char *clean = cleaned(from, length);
        source = g_intern_string(clean);
        g_free(clean);
    }
    g_mutex_unlock(&mutex);
    return source;
}

void weiri_symbol_kernel(void (*entry)(void), const char *name)
{
    g_mutex_lock(&mutex);
    if (kernels == NULL) {
        kernels = g_hash_table_new(NULL, NULL);
    }
    char *kernel = g_strdup_printf("kernel %s", name);
    g_hash_table_insert(kernels, (void *)(uintptr_t)entry,
                        (void *)g_intern_string(kernel));
    g_free(kernel);
    g_mutex_unlock(&mutex);
}

static void add_folder(GPtrArray **folders, const char *file)
{
    char *path = *file == '/' ? g_canonicalize_filename(file, NULL) : g_strdup(file);
    const char *slash = strrchr(path, '/');
    char *folder = g_strndup(path, slash != NULL ? (gsize)(slash + 1 - path) : 0);
    g_free(path);
    g_mutex_lock(&mutex);
    if (*folders == NULL) {
        *folders = g_ptr_array_new();
    }
    const char *known = g_intern_string(folder);
    if (!g_ptr_array_find(*folders, known, NULL)) {
        g_ptr_array_add(*folders, (void *)known);
    }
    g_mutex_unlock(&mutex);
}

void weiri_symbol_header(const char *file)
{
    add_folder(&headers, file);
}

void weiri_symbol_headers_below(const char *file)
{
    /* Without a folder each file would be one of them. */
    if (strchr(file, '/') != NULL) {
        add_folder(&trees, file);
    }
}

const char *weiri_symbol_text(const char *file, size_t *bytes)
{
    g_mutex_lock(&mutex);
    begin();
    GBytes *text = text_of_file(file);
    gsize size = 0;
    const char *data = text != NULL ? g_bytes_get_data(text, &size) : NULL;
    *bytes = size;
    g_mutex_unlock(&mutex);
    return data;
}

bool weiri_symbol_used(void)
{
    g_mutex_lock(&mutex);
    bool used = addresses != NULL;
    g_mutex_unlock(&mutex);
    return used;
}

/* ---- Lines ----------------------------------------------------------------------- */

/* Whether @pc is in a kernel or a function that it calls. weiri_symbol_frames() has no
 * frames for the machine's loop around a kernel's body. */
static bool in_kernel(const void *pc)
{
    struct weir_frame frame;
    return weiri_symbol_frames(pc, &frame, 1) > 0;
}

/* A number for the source line of a call. Without debug information it is 0 for all
 * calls: a call that the compiler has duplicated would look like two, and items that
 * came by them as if their paths differed. */
static uint32_t place_of_line(const void *pc)
{
    struct weir_frame frame;
    bool known = weiri_symbol_frames(pc, &frame, 1) > 0 && frame.file != NULL;
    return known ? weiri_symbol_place(pc) : 0;
}

static uint32_t line_of(const void *pc, const char **file)
{
    struct weir_frame frame = { 0 };
    bool known = weiri_symbol_frames(pc, &frame, 1) > 0 && frame.file != NULL;
    *file = known ? frame.file : NULL;
    return known ? frame.line : 0;
}

/* Inlined calls of one address that are compared. */
enum { MOST_FRAMES = 32 };

static bool same_line(const void *a, const void *b)
{
    struct weir_frame first[MOST_FRAMES], second[MOST_FRAMES];
    size_t n = weiri_symbol_frames(a, first, MOST_FRAMES);
    bool same = n > 0 && weiri_symbol_frames(b, second, MOST_FRAMES) == n;
    for (size_t i = 0; same && i < n; i++) {
        same = first[i].file != NULL && first[i].line == second[i].line
            && g_strcmp0(first[i].file, second[i].file) == 0
            && g_strcmp0(first[i].function, second[i].function) == 0;
    }
    return same;
}

const struct weiri_symbols weiri_symbols = {
    .frames = weiri_symbol_frames,
    .source = weiri_symbol_source,
    .place = place_of_line,
    .line = line_of,
    .same_line = same_line,
    .in_kernel = in_kernel,
};
