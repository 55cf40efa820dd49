# SPDX-License-Identifier: MIT
"""weir-gdb.py: work-items under gdb.

Weir runs the items of a work-group in turn on a thread; an item that waits is a stack
and a few saved registers. gdb knows the thread and what runs on it. This script shows
it the rest:

    info work-groups            resident groups, and what their items do
    info work-items [GROUP]     where items are
    work-item [GROUP.]N         look at an item that is suspended: bt, up, print
    break-item [GROUP.]N LOC    a breakpoint for one item
    break-finding [KIND]        a breakpoint where a finding is made

How an item is looked at: nothing in the program is changed. While one is selected, an
unwinder says that the frame which runs on the thread was called by the item's
innermost frame, as its saved registers have it. So the item's frames follow in every
backtrace; a frame filter leaves out those of the thread that come before. It works in
core files, and there is nothing to be put back when the program goes on, by whatever
means: the unwinder then only forgets the item.

    thread's frames                       the item's frames, on the item's stack
    #0 running item, or the runtime  -->  #1 its innermost frame
                                          #2 ...
                                          #n the kernel's entry, the worker's loop

Parts: what Weir keeps, which nothing below knows the fields of; frames and places, to
distinguish user code from Weir's; selecting an item; the commands; what `weir replay
--gdb` runs. It is one file, longer than others, so that it can be sourced from anywhere.

Needs gdb 12 with Python, and Weir's debugging information. x86-64 and aarch64.
"""

import contextlib
import json
import linecache
import os
import re
import struct
import sys
import types

import gdb
import gdb.unwinder


class Problem(gdb.GdbError):
    """What is wrong with a command: gdb prints it as one line and ends the command."""


# ---- What Weir keeps ----------------------------------------------------------------
# The only part that knows the fields of Weir's structures. Fields that another version
# or another mode may lack are asked for before they are read.

NO_STACK = 0xFFFFFFFF  # WEIRI_NO_STACK


def has_field(value, name):
    """Whether a structure has a field of this name."""
    return any(field.name == name for field in value.type.strip_typedefs().fields())


def lookup_type(name):
    try:
        return gdb.lookup_type(name)
    except gdb.error:
        raise Problem(
            f"no {name} in the debugging information: this program is not linked with"
            " Weir, or libweir.a was built without -g or stripped"
        ) from None


def read_words(pointer, count):
    """An array of uint32_t or uint64_t, in one read."""
    size = pointer.type.target().sizeof
    if count == 0:
        return []
    memory = gdb.selected_inferior().read_memory(int(pointer), count * size)
    return struct.unpack(f"={count}{'I' if size == 4 else 'Q'}", bytes(memory))


def read_records(pointer, count, *names):
    """From an array of structures, these fields of each, as tuples of numbers."""
    kind = pointer.type.target().strip_typedefs()
    fields = [field for name in names for field in kind.fields() if field.name == name]
    if count == 0:
        return []
    memory = gdb.selected_inferior().read_memory(int(pointer), count * kind.sizeof)
    data = bytes(memory)

    def number(start, field):
        first = start + field.bitpos // 8
        return int.from_bytes(data[first : first + field.type.sizeof], "little")

    starts = range(0, count * kind.sizeof, kind.sizeof)
    return [tuple(number(start, field) for field in fields) for start in starts]


def operation_name(op):
    """The name of a rendezvous, as kernels call it; see WEIRI_OP()."""
    kind, level = op & 0xFF, op >> 16 & 0xF
    names = lookup_type("enum weiri_collective").fields()
    name = next((f.name for f in names if f.enumval == kind), "WEIRI_rendezvous")
    name = name.replace("WEIRI_", "", 1).lower()
    if level == 0:
        return "weir_barrier" if name == "barrier" else f"weir_group_{name}"
    return f"weir_sub_group_{name}"


class Item:
    """Where one item is: its state, and what is known of the place."""

    def __init__(self, state, phase=None, site=0, op=None):
        self.state = state
        self.phase = phase  # rendezvous that it has passed
        self.site = site  # of a rendezvous: a struct weir_site's address, or 0
        self.op = op  # of a rendezvous
        self.on_thread = False  # its thread executes it: it runs, or is about to wait


def shown(shape, index):
    """The index of a group in the order of dimensions of the kernel's language."""
    dim = int(shape["dim"])
    turned = index[:dim][::-1] if int(shape["reversed"]) else index[:dim]
    return tuple(turned + index[dim:])


class Group:
    """A resident group, as it was when it was read."""

    STATES = ("not started", "running", "runnable", "waiting", "returned")

    def __init__(self, worker, value):
        self.worker = worker
        self.value = value
        public = value["public"]
        shape = public["shape"]
        self.linear = int(shape["group_linear"])
        self.index = shown(shape, [int(shape["group"][i]) for i in range(3)])
        self.phase = int(value["gate"]["phase"])
        self.count = int(value["items"])  # 1 for a group kernel
        self.size = int(shape["items"])
        self.at = int(public["at"])
        self.stacks = read_words(value["stack"], self.count)
        self.is_running = int(worker.value["group"]) == int(value.address)

    def __str__(self):
        return f"group {self.linear} ({','.join(map(str, self.index))})"

    def running(self):
        """The item that the thread executes, or None.

        If the thread is on the stack of an item, it is that item. Otherwise it is
        that of the loop which starts items, and the loop's own counter is its id:
        `at` is written by the loop too, but an optimised one that makes no call may
        write it late.
        """
        if not self.is_running:
            return None
        stack = self.worker.current_stack()
        if stack is not None and stack in self.stacks:
            return self.stacks.index(stack)
        if stack is None and self.worker.is_deterministic():
            return None  # between steps, on the thread's own stack
        if self.count != self.size:
            at = 0  # a group kernel
        else:
            counter = self.worker.loop_counter()
            at = self.at if counter is None else counter
        if at >= self.count or self.stacks[at] != NO_STACK:
            return None
        return at

    def waiting(self):
        """By item, those that wait: at the gate, at sub-groups' gates, as strays."""
        found = {}
        gates = [self.value["gate"]]
        n_sub_gates = int(self.value["n_sub_gates"])
        gates += [self.value["sub_gates"][i] for i in range(n_sub_gates)]
        for gate in gates:
            count = int(gate["n_waiting"])
            if count > 0:
                phase, site, op = (int(gate[name]) for name in ("phase", "site", "op"))
                if has_field(gate, "mixed") and bool(gate["mixed"]):
                    site = 0  # each has its own
                for i in read_words(gate["waiting"], count):
                    found[i] = Item("waiting", phase, site, op)
        strays = self.value["strays"].dereference()
        records = strays["data"].cast(lookup_type("struct weiri_stray").pointer())
        names = ("item", "phase", "site", "op")
        for i, phase, site, op in read_records(records, int(strays["len"]), *names):
            found[i] = Item("waiting", phase, site, op)
        return found

    def started(self, running):
        """How many items have started, the first ones; where they start in any order,
        0: their stacks and returns show which have."""
        if self.worker.is_deterministic():
            return 0
        before = int(self.value["next"])
        if int(self.value["public"]["end"]) != 0 and running is not None:
            before = max(before, running)
        return before

    def items(self):
        """What every item does, by local linear id."""
        running = self.running()
        waiting = self.waiting()
        started = self.started(running)
        serial = int(self.value["serial"])
        returns = read_records(self.value["returns"], self.count, "serial", "phase")
        items = []
        for i in range(self.count):
            if i in waiting:
                items.append(waiting[i])
            elif i == running:
                items.append(Item("running", self.phase))
            elif self.stacks[i] != NO_STACK:
                items.append(Item("runnable", self.phase))
            elif returns[i][0] == serial:
                items.append(Item("returned", returns[i][1]))
            elif i < started:
                items.append(Item("returned", 0))
            else:
                items.append(Item("not started"))
            items[i].on_thread = i == running
        return items

    def context(self, item):
        """The saved registers of a suspended item."""
        return self.value["context"][item]


class Worker:
    """A thread that takes part in a launch."""

    def __init__(self, thread, value):
        self.thread = thread
        self.value = value

    def kernel(self):
        return self.value["launch"]["kernel"].dereference()

    def is_deterministic(self):
        """Whether one thread runs the items of all resident groups in turn."""
        return has_field(self.value, "hub") and int(self.value["hub"]) != 0

    def groups(self):
        """The resident groups, by linear index."""
        first = self.value["group"]
        groups, group = [], first
        while int(group) != 0:
            groups.append(Group(self, group.dereference()))
            group = group["next_group"]
            if group == first:
                break
        return sorted(groups, key=lambda group: group.linear)

    def current_stack(self):
        """The number of the stack in the pool that the thread is on, or None."""
        stacks = self.value["stacks"]
        base, stride = int(stacks["base"]), int(stacks["stride"])
        with looking_at(self.thread):
            offset = int(interrupted_frame().read_register("sp")) - base
        if base == 0 or not 0 <= offset < stride * int(stacks["capacity"]):
            return None
        return offset // stride

    def loop_counter(self):
        """The counter of the loop over items that the thread is in, or None."""
        with looking_at(self.thread):
            for frame in frames_from(gdb.newest_frame()):
                if is_entry(frame):
                    return local_number(frame, "i")
        return None


class Runtime:
    """Weir in the process."""

    @staticmethod
    def worker_of_selected_thread():
        """The worker that the selected thread is, or None."""
        try:
            pointer = gdb.parse_and_eval("weiri_self.worker")
        except gdb.error as error:
            if "thread-local" in str(error):
                raise Problem(f"cannot find weiri_self: {error}") from None
            raise Problem(
                "no weiri_self in the debugging information: this program is not linked"
                " with Weir, or was built without -g or stripped"
            ) from None
        if int(pointer) == 0:
            return None
        value = pointer.cast(lookup_type("struct weiri_worker").pointer()).dereference()
        if int(value["launch"]) == 0:
            return None
        return Worker(gdb.selected_thread(), value)

    @staticmethod
    def workers():
        """All workers of a launch, by thread; the selected thread's is the first."""
        selected = gdb.selected_thread()
        if selected is None:
            raise Problem("no launch is running: there is no process")
        threads = gdb.selected_inferior().threads()
        threads = sorted(threads, key=lambda thread: (thread != selected, thread.num))
        found = []
        for thread in threads:
            if not thread.is_running():
                with looking_at(thread):
                    worker = Runtime.worker_of_selected_thread()
                if worker is not None:
                    found.append(worker)
        if not found:
            raise Problem("no launch is running: no thread is in weir_launch()")
        return found

    @staticmethod
    def group(linear=None):
        """The resident group of this index; without one, that which runs here."""
        workers = Runtime.workers()
        if linear is None:
            for worker in workers:
                for group in worker.groups():
                    if group.is_running:
                        return group
            raise Problem("no group is running: the workers are between groups")
        for worker in workers:
            for group in worker.groups():
                if group.linear == linear:
                    return group
        count = int(workers[0].value["launch"]["n_groups"])
        if linear >= count:
            raise Problem(f"no group {linear}: this launch has {count}")
        raise Problem(f"group {linear} is not resident: see 'info work-groups'")


class Layout:
    """Where a struct weiri_co keeps registers; see co_x86_64.S and co_aarch64.S."""

    # Registers of an assembly context, by index of a 64-bit word.
    X86_64 = {"rbx": 0, "rbp": 1, "r12": 2, "r13": 3, "r14": 4, "r15": 5}
    AARCH64 = {f"x{19 + i}": i for i in range(12)}
    AARCH64_FLOAT = {f"v{8 + i}": 14 + i for i in range(8)}
    # Registers of a ucontext_t: REG_RBX and others of <sys/ucontext.h>.
    GREGS = {"rbx": 11, "rbp": 10, "r12": 4, "r13": 5, "r14": 6, "r15": 7}

    @classmethod
    def registers(cls, context, architecture):
        """What the item's innermost frame has in its registers: a number by name,
        and the names of the stack pointer and the program counter."""
        is_x86 = "x86-64" in architecture
        if not is_x86 and not architecture.startswith("aarch64"):
            raise Problem(f"work-items cannot be unwound on {architecture}")
        if has_field(context, "registers"):
            words = [int(context["registers"][i]) for i in range(8 if is_x86 else 24)]
            if is_x86:
                found = {name: words[i] for name, i in cls.X86_64.items()}
                (back,) = read_words(
                    gdb.Value(words[6]).cast(lookup_type("uint64_t").pointer()), 1
                )
                found["rsp"], found["rip"] = words[6] + 8, back
            else:
                places = {**cls.AARCH64, **cls.AARCH64_FLOAT}
                found = {name: words[i] for name, i in places.items()}
                found["sp"], found["pc"] = words[12], words[11]
        else:
            machine = context["context"]["uc_mcontext"]
            if is_x86:
                saved = machine["gregs"]
                found = {name: int(saved[i]) for name, i in cls.GREGS.items()}
                found["rsp"], found["rip"] = int(saved[15]), int(saved[16])
            else:
                found = {f"x{i}": int(machine["regs"][i]) for i in range(19, 31)}
                found["sp"], found["pc"] = int(machine["sp"]), int(machine["pc"])
        found = {name: value & 0xFFFFFFFFFFFFFFFF for name, value in found.items()}
        return found, ("rsp", "rip") if is_x86 else ("sp", "pc")


# ---- Frames and places ---------------------------------------------------------------


@contextlib.contextmanager
def looking_at(thread, selection=None):
    """Another thread for a while, with this selection or none; then what was
    selected before, down to the frame."""
    before, kept = gdb.selected_thread(), Selection.current
    try:
        level = gdb.selected_frame().level()
    except gdb.error:
        level = None
    same_thread = before.ptid == thread.ptid
    if same_thread and selection is kept:
        yield
        return
    try:
        if not same_thread:
            thread.switch()
        Selection.put(selection)
        yield
    finally:
        if not same_thread:
            before.switch()
        Selection.put(kept)
        if level is not None:
            for frame in frames_from(gdb.newest_frame()):
                if frame.level() == level:
                    frame.select()
                    break


def frames_from(frame, count=None):
    """A frame and its callers, as far as they can be unwound, or so many."""
    while frame is not None and count != 0:
        yield frame
        count = None if count is None else count - 1
        try:
            frame = frame.older()
        except (gdb.error, RuntimeError):
            return


def real_frame(frame):
    """The frame that a frame is inlined into, or itself."""
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return frame


def interrupted_frame():
    """The newest frame, or that which a signal has interrupted: handlers have a stack
    of their own."""
    newest = gdb.newest_frame()
    for frame in frames_from(newest, 16):
        if frame.type() == gdb.SIGTRAMP_FRAME and frame.older() is not None:
            return frame.older()
    return newest


def is_entry(frame):
    """Whether it is a kernel's loop over items: what WEIR_KERNEL() calls so."""
    name = frame.name()
    return name is not None and name.endswith(("__fast", "__checked", "__checked_item"))


def local_number(frame, name):
    """A local variable of a frame as a number, or None where the compiler lost it."""
    try:
        block = frame.block()
        while block is not None and not block.is_global and not block.is_static:
            for symbol in block:
                if symbol.name == name and symbol.is_variable:
                    value = symbol.value(frame)
                    return None if value.is_optimized_out else int(value)
            if block.function is not None:
                break
            block = block.superblock
    except (gdb.error, RuntimeError):
        pass
    return None


_ours = {}  # by objfile and file: whether a compilation unit is Weir's


def is_user_code(frame):
    """Whether a frame is of a kernel or what it calls, and not of Weir."""
    function = frame.function()
    if function is None:
        return False
    name, symtab = function.name, function.symtab
    in_header = re.fullmatch(r"weir(-[\w-]+)?\.h", os.path.basename(symtab.filename))
    if name.startswith("weiri_") or in_header or is_entry(frame):
        return False
    # Not by its full name: where Weir's sources are not found, gdb takes a file of the
    # program that has the same name.
    key = (symtab.objfile.filename, symtab.filename)
    if key not in _ours:
        names = (symbol.name for symbol in symtab.global_block() if symbol.is_function)
        _ours[key] = any(name.startswith(("weiri_", "__tsan_")) for name in names)
    return not _ours[key]


def objfile_of(frame):
    """The file of the program or library that a frame's function is in."""
    return frame.function().symtab.objfile.filename


def user_frame(frame):
    """The innermost frame of user code from here on, at least the kernel's entry; None
    where there is no kernel on this stack. Code of other libraries is left out, as
    reports do."""
    found = []
    for candidate in frames_from(frame):
        if is_entry(candidate):
            own = {gdb.current_progspace().filename, objfile_of(candidate)}
            return next((one for one in found if objfile_of(one) in own), candidate)
        if is_user_code(candidate):
            found.append(candidate)
    return None


class Place:
    """A line of source."""

    def __init__(self, file=None, line=0, function=None):
        self.file = file
        self.line = line
        self.function = re.sub(r"__(body|fast|checked)$", "", function or "")

    @classmethod
    def of_site(cls, address):
        site = gdb.Value(address).cast(lookup_type("struct weir_site").pointer())
        file, function = site["file"].string(), site["function"].string()
        return cls(file, int(site["line"]), function)

    @classmethod
    def of_frame(cls, frame):
        if frame is None:
            return cls()
        sal = frame.find_sal()
        if sal.symtab is None:
            return cls(None, 0, frame.name())
        return cls(sal.symtab.filename, sal.line, frame.name())

    def __str__(self):
        where = f"{os.path.basename(self.file)}:{self.line}" if self.file else ""
        return f"{where} in {self.function}" if self.function else where

    def text(self):
        """The line's text, from where gdb finds the source."""
        if not self.file:
            return ""
        try:
            quoted = self.file.replace('"', '\\"')
            symtab = gdb.decode_line(f'"{quoted}":{self.line}')[1][0].symtab
            path = symtab.fullname()
        except (gdb.error, TypeError, AttributeError):
            path = self.file
        return linecache.getline(path, self.line).strip()


# ---- Selecting an item ---------------------------------------------------------------


class FrameId:
    """What gdb asks of a frame's identity."""

    def __init__(self, sp, pc):
        self.sp = gdb.Value(sp)
        self.pc = gdb.Value(pc)


class Selection:
    """An item that is looked at, and where its frames are attached to the thread's.

    They follow the thread's innermost real frame, which is known again by its stack
    pointer and program counter. gdb wants callers at higher addresses, which an item's
    stack need not be: so the frame gets a made-up identity, below the item's frames.
    Only stepping asks for that identity, and before it the selection ends.
    """

    current = None

    def __init__(self, group, item):
        self.group, self.item = group, item
        self.thread = group.worker.thread
        with looking_at(self.thread):
            frame = real_frame(gdb.newest_frame())
            architecture = frame.architecture().name()
            context = group.context(item)
            self.registers, names = Layout.registers(context, architecture)
            self.sp_name, self.pc_name = names
            self.sp = int(frame.read_register(self.sp_name))
            self.pc = int(frame.read_register(self.pc_name))
            self.id = FrameId(self.registers[self.sp_name] - 16, self.pc)

    def __str__(self):
        return f"item {self.item} of {self.group}"

    @classmethod
    def put(cls, selection):
        """Makes gdb see this item, or none."""
        if cls.current is not selection:
            cls.current = selection
            gdb.invalidate_cached_frames()

    @classmethod
    def is_here(cls):
        """Whether an item of the selected thread is selected."""
        thread = gdb.selected_thread()
        return cls.current is not None and thread.ptid == cls.current.thread.ptid

    @classmethod
    def forget(cls):
        """The program goes on, or is no more."""
        cls.current = None

    @classmethod
    def leave(cls):
        """Back to what runs: its innermost frame is selected."""
        if cls.is_here():
            gdb.newest_frame().select()
        cls.put(None)
        cls.forget()

    def enter(self):
        """Looks at the item: its innermost frame of user code is selected."""
        Selection.leave()
        self.thread.switch()
        Selection.put(self)
        innermost = self.innermost()
        if innermost is None:
            Selection.leave()
            raise Problem(f"the stack of {self} cannot be unwound")
        (user_frame(innermost) or innermost).select()

    @staticmethod
    def innermost():
        """The item's innermost frame, while it is put; None where there is none."""
        frames = list(frames_from(real_frame(gdb.newest_frame()), 2))
        return frames[1] if len(frames) == 2 else None

    def place(self):
        """Where user code of the item is; for a look in passing."""
        with looking_at(self.thread, self):
            return Place.of_frame(user_frame(self.innermost()))


class ItemUnwinder(gdb.unwinder.Unwinder):
    """Says that the thread's frame was called by the selected item's."""

    def __init__(self):
        super().__init__("weir-work-item")

    def __call__(self, pending):
        selection = Selection.current
        if selection is None:
            return None
        try:
            sp = pending.read_register(selection.sp_name)
            pc = pending.read_register(selection.pc_name)
        except (gdb.error, ValueError):
            return None  # another architecture
        if int(sp) != selection.sp or int(pc) != selection.pc:
            return None
        info = pending.create_unwind_info(selection.id)
        for name, number in selection.registers.items():
            kind = pending.read_register(name).type
            data = number.to_bytes(kind.sizeof, "little")
            info.add_saved_register(name, gdb.Value(data, kind))
        return info


class ItemFrames:
    """The frame filter: backtraces on an item's stack end at the kernel. Those of a
    selection begin at the item's frames, and where a finding is made, at user code."""

    name = "weir-work-item"
    enabled = True
    priority = 1000

    # The functions with which a stack of an item begins.
    BOTTOMS = ("item_main", "coroutine_main")

    def filter(self, frames):
        hidden = Selection.is_here()
        first = None  # the innermost frame to show where a finding is made
        if not hidden and gdb.newest_frame().name() == Finding.FUNCTION:
            first = user_frame(gdb.newest_frame())
        loop, has_body = [], False  # of the kernel: its frames, once they begin
        for decorated in frames:
            frame = decorated.inferior_frame()
            if hidden:
                hidden = frame.type() == gdb.INLINE_FRAME
                continue
            if first is not None and frame != first:
                continue
            first = None
            if frame.pc() == 0:
                break  # what ends every stack
            if loop or is_entry(frame):
                loop.append(decorated)
            else:
                has_body = (frame.name() or "").endswith("__body")
                yield decorated
        last = [frame.inferior_frame().name() for frame in loop[-2:]]
        if any(name in self.BOTTOMS for name in last):
            loop = [] if has_body else loop[:1]
        yield from loop


def on_continue(event):
    """The program goes on; gdb says nothing of a function that it only calls."""
    selection = Selection.current
    thread = event.inferior_thread  # None: all of them
    if thread is None or selection and thread.ptid == selection.thread.ptid:
        Selection.forget()


# ---- Commands ------------------------------------------------------------------------


def ranges(ids):
    """Ids in ascending order as "0-4,7"."""
    parts, first, last = [], None, None
    for i in list(ids) + [None]:
        if i is not None and first is not None and i == last + 1:
            last = i
            continue
        if first is not None:
            parts.append(str(first) if first == last else f"{first}-{last}")
        first = last = i
    return ",".join(parts)


def print_table(rows, right=()):
    """Rows of text in columns; those numbered in `right` are aligned to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        cells = [
            text.rjust(width) if i in right else text.ljust(width)
            for i, (text, width) in enumerate(zip(row, widths))
        ]
        print("  ".join(cells).rstrip())


def plural(count, what):
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def parse_item(text):
    """(group or None, item) of "5", "1.5" or "5 group 1"; None where it is neither."""
    match = re.fullmatch(r"(?:(\d+)\.)?(\d+)|(\d+)\s+group\s+(\d+)", text.strip())
    if match is None:
        return None
    group = match.group(1) or match.group(4)
    item = match.group(2) or match.group(3)
    return (None if group is None else int(group)), int(item)


class InfoWorkGroups(gdb.Command):
    """Resident work-groups, and what their items do.

    Usage: info work-groups

    One line a group that has started and not ended, of every thread that takes part
    in the launch. The one whose item runs on its thread is marked with a star. Phase
    is the number of rendezvous that the group has passed."""

    def __init__(self):
        super().__init__("info work-groups", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        workers = Runtime.workers()
        kernel = workers[0].kernel()
        launch = workers[0].value["launch"]
        groups = plural(int(launch["n_groups"]), "group")
        items = plural(int(launch["shape"]["items"]), "item")
        print(
            f"kernel '{kernel['name'].string()}' ({kernel['file'].string()}:"
            f"{int(kernel['line'])}), {groups} of {items}"
        )
        rows = [("", "thread", "group", "index", "phase") + Group.STATES]
        for worker in sorted(workers, key=lambda worker: worker.thread.num):
            for group in worker.groups():
                states = [item.state for item in group.items()]
                rows.append(
                    (
                        "*" if group.is_running else "",
                        str(worker.thread.num),
                        str(group.linear),
                        "(" + ",".join(map(str, group.index)) + ")",
                        str(group.phase),
                        *(str(states.count(state)) for state in Group.STATES),
                    )
                )
        if len(rows) == 1:
            print("No group is resident: the workers are between groups.")
        else:
            print_table(rows, right=(1, 2, 4, 5, 6, 7, 8, 9))


class InfoWorkItems(gdb.Command):
    """Where the items of a work-group are.

    Usage: info work-items [GROUP]

    Items by their linear local ids; those in the same place are one line. GROUP is a
    linear index; without it, the group that runs on this thread. A star marks the item
    that runs, ">" the one that work-item has selected. Waiting items are shown with
    the operation at which they wait, running and runnable ones with the line of the
    kernel, or of what it calls, that they are in. Phase is the number of rendezvous
    that an item has passed."""

    def __init__(self):
        super().__init__("info work-items", gdb.COMMAND_STATUS, gdb.COMPLETE_NONE)

    def invoke(self, argument, from_tty):
        if not re.fullmatch(r"\d*", argument.strip()):
            raise Problem("usage: info work-items [GROUP]")
        group = Runtime.group(int(argument) if argument.strip() else None)
        kernel = group.worker.kernel()
        is_loop = group.count != group.size
        print(
            f"{group} of kernel '{kernel['name'].string()}', thread"
            f" {group.worker.thread.num}, phase {group.phase},"
            f" {plural(group.size, 'item')}"
            + (f"; a group kernel, in its loop at item {group.at}" if is_loop else "")
        )
        parties, places = {}, {}
        for i, item in enumerate(group.items()):
            place, *party = self.describe(group, i, item)
            parties.setdefault(tuple(party), []).append(i)
            places[tuple(party)] = place
        rows = [("", "items", "state", "phase", "where", "")]
        for party, ids in parties.items():
            mark, *cells = party
            who = "all" if is_loop else ranges(ids)
            rows.append((mark, who, *cells, places[party].text()))
        print_table(rows, right=(3,))

    @staticmethod
    def describe(group, i, item):
        """An item's place, and the cells of its line but for the id and the text."""
        mark, place, operation = "*" if item.on_thread else " ", Place(), ""
        if item.op is not None:
            operation = ", " + operation_name(item.op)
        if item.site != 0:
            place = Place.of_site(item.site)
        elif item.on_thread:
            with looking_at(group.worker.thread):
                place = Place.of_frame(user_frame(gdb.newest_frame()))
        elif item.state in ("runnable", "waiting") and group.stacks[i] != NO_STACK:
            place = Selection(group, i).place()
        selection = Selection.current
        if selection is not None and selection.group.linear == group.linear:
            mark = ">" if selection.item == i else mark
        phase = "" if item.phase is None else str(item.phase)
        return place, mark, item.state, phase, str(place) + operation


class WorkItem(gdb.Command):
    """Look at a work-item that is suspended.

    Usage: work-item [GROUP.]N
           work-item N group GROUP
           work-item running | back
           work-item

    N is a linear local id, GROUP a linear index; without it, the group that runs on
    this thread. The item's thread is selected, and in the item's stack the innermost
    frame that is not Weir's own; "backtrace", "up", "down", "print" and "info locals"
    then are about the item. Nothing in the program is changed, and variables in
    registers cannot be changed.

    "work-item running" goes back to the item that runs. So does everything that lets
    the program go on: "step" and "next" step the item that runs, not the selected one.
    Alone, it prints which item is selected."""

    def __init__(self):
        super().__init__("work-item", gdb.COMMAND_STACK, gdb.COMPLETE_NONE)

    def complete(self, text, word):
        return [way for way in ("back", "running") if way.startswith(word)]

    def invoke(self, argument, from_tty):
        argument = argument.strip()
        if argument == "":
            self.show()
        elif argument in ("running", "back"):
            self.go_back()
        elif parse_item(argument) is not None:
            self.go_to(*parse_item(argument))
        else:
            raise Problem("usage: work-item [GROUP.]N, N group GROUP, or running")

    @staticmethod
    def show():
        if Selection.is_here():
            print(f"{Selection.current} is selected.")
            return
        group = Runtime.group()
        running = group.running()
        who = "no item" if running is None else f"item {running}"
        print(f"No item is selected; {who} of {group} runs.")

    @staticmethod
    def show_frame():
        print(gdb.execute("frame", to_string=True).rstrip())

    @classmethod
    def go_back(cls):
        Runtime.workers()
        Selection.leave()
        frame = user_frame(gdb.newest_frame())
        if frame is not None:
            frame.select()  # else Weir itself runs
        cls.show()
        cls.show_frame()

    @classmethod
    def go_to(cls, linear, number):
        group = Runtime.group(linear)
        if number >= group.count:
            kind = "a group kernel has one stack: number 0"
            if group.count == group.size:
                kind = f"it has {plural(group.count, 'item')}"
            raise Problem(f"no item {number} in {group}: {kind}")
        item = group.items()[number]
        if item.on_thread:
            Selection.leave()
            group.worker.thread.switch()
            cls.go_back()
            return
        if group.stacks[number] == NO_STACK:
            why = "returned" if item.state == "returned" else "not started"
            raise Problem(f"item {number} of {group} is not suspended: it has {why}")
        selection = Selection(group, number)
        selection.enter()
        at = f" at {operation_name(item.op)}" if item.op is not None else ""
        print(f"[{selection}, {item.state}{at}, phase {item.phase}]")
        cls.show_frame()


class ItemBreakpoint(gdb.Breakpoint):
    """A breakpoint that only one item stops at."""

    def __init__(self, linear, item, location, condition):
        super().__init__(location)
        self.linear, self.item, self.only_if = linear, item, condition

    def stop(self):
        try:
            worker = Runtime.worker_of_selected_thread()
            if worker is None or int(worker.value["group"]) == 0:
                return False
            group = Group(worker, worker.value["group"].dereference())
            if self.linear is not None and self.linear != group.linear:
                return False
            is_loop = group.count != group.size
            if self.item != (group.at if is_loop else group.running()):
                return False
            return self.only_if is None or bool(gdb.parse_and_eval(self.only_if))
        except (gdb.error, Problem) as error:
            print(f"Breakpoint {self.number}: {error}")
            return True


class BreakItem(gdb.Command):
    """Set a breakpoint for one work-item.

    Usage: break-item [GROUP.]N LOCATION [if CONDITION]

    The program stops when item N, a linear local id, gets to LOCATION: in every group,
    or in group GROUP only, a linear index. LOCATION is what "break" takes, and the
    breakpoint is deleted and disabled like any other. Other items pass it, at the
    cost of a stop that gdb does not show.

    Which item runs is exact in kernels that are compiled with -O0 or -Og. An optimised loop
    over items may mix the instructions of several of them."""

    def __init__(self):
        super().__init__("break-item", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_LOCATION)

    def invoke(self, argument, from_tty):
        who, _, location = argument.strip().partition(" ")
        item = parse_item(who)
        location, condition = location.strip(), None
        match = re.fullmatch(r"(.*?)\s+if\b\s*(.+)", location)
        if match is not None:
            location, condition = match.groups()
        if item is None or not location:
            raise Problem("usage: break-item [GROUP.]N LOCATION [if CONDITION]")
        lookup_type("struct weiri_worker")  # else the running item cannot be found
        breakpoint_ = ItemBreakpoint(*item, location, condition)
        group = "" if item[0] is None else f" of group {item[0]}"
        print(f"Breakpoint {breakpoint_.number} stops for item {item[1]}{group} only.")


class BreakFinding(gdb.Command):
    """Stop where Weir makes a finding.

    Usage: break-finding [KIND]

    KIND is a kind that reports name, such as data-race; without it every kind counts.
    The program stops before an access that races or is out of bounds, where an item
    faults, and where Weir sees that a group has diverged or waits for ever. Then
    "work-item running" selects the item that runs, if one does. A read of memory that
    was never written stops here, too, and is reported only if its value matters."""

    def __init__(self):
        super().__init__("break-finding", gdb.COMMAND_BREAKPOINTS, gdb.COMPLETE_NONE)

    def complete(self, text, word):
        try:
            return [kind for kind in Finding.kinds() if kind.startswith(word)]
        except Problem:
            return []

    def invoke(self, argument, from_tty):
        kind = argument.strip()
        kinds = Finding.kinds()
        if kind and kind not in kinds:
            raise Problem(f"no kind '{kind}': give one of {', '.join(kinds)}")
        condition = f" if kind == {kinds[kind]}" if kind else ""
        gdb.execute(f"break {Finding.FUNCTION}{condition}")


# ---- Replaying -----------------------------------------------------------------------


class Finding:
    """A finding, where Weir makes it: at the breakpoint on FUNCTION."""

    FUNCTION = "weiri_finding_made"

    def __init__(self):
        frame = gdb.newest_frame()
        self.kind = int(frame.read_var("kind"))
        pointers = [frame.read_var(name) for name in ("first", "second")]
        parties = [pointer.dereference() for pointer in pointers if int(pointer) != 0]
        shape = Runtime.worker_of_selected_thread().value["launch"]["shape"]
        self.parties = [
            (
                self.coordinates(shape, int(party["group"])),
                int(party["item"]),
                int(party["access"]),
            )
            for party in parties
        ]

    @staticmethod
    def kinds():
        """The numbers of the kinds, by their names in reports."""
        prefix = "WEIR_FINDING_"
        return {
            field.name.replace(prefix, "", 1).lower().replace("_", "-"): field.enumval
            for field in lookup_type("enum weir_finding_kind").fields()
        }

    @staticmethod
    def coordinates(shape, linear):
        """The index of a group; see weiri_group_place()."""
        at = [0, 0, 0]
        for i in reversed(range(int(shape["dim"]))):
            linear, at[i] = divmod(linear, int(shape["groups"][i]))
        return list(shown(shape, at))


class Wanted:
    """The finding to stop at, as `weir replay --gdb` describes it: a JSON object.

    launch   of the recorded ones, from 1
    kernel   its name
    kind     a number; missing: there is no place to stop at but the launch
    parties  objects {group: [x, y, z], item, access, line}; access may be 0
    text     what the report says of it
    waits    the process is there, and waits before its launch
    runs     the program runs into a signal by itself
    reports  a file that a run begins without; missing: none
    """

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.__dict__.update(json.load(file))

    def is_launch(self):
        worker = Runtime.worker_of_selected_thread()
        launch = worker.value["launch"] if worker else gdb.parse_and_eval("launch")
        return int(launch["followed"]) == self.launch

    def is_it(self, by_line):
        """Whether it is the finding that is made at the breakpoint."""
        found = Finding()
        if found.kind != self.kind or not self.is_launch():
            return False
        ours = [[party["group"], party["item"], party["access"]] for party in self.parties]
        if found.parties[0][2] == 0:
            return ours[0][0] == found.parties[0][0]  # parties in many places: the group
        if sorted(ours) != sorted(map(list, found.parties)):
            return False
        frame = user_frame(gdb.newest_frame())
        line = frame.find_sal().line if frame is not None else 0
        return not by_line or line in [party["line"] for party in self.parties]


class FindingBreakpoint(gdb.Breakpoint):
    """Stops where the wanted finding is made."""

    def __init__(self, wanted, by_line):
        super().__init__(Finding.FUNCTION, internal=True)
        self.wanted, self.by_line, self.reached = wanted, by_line, False
        self.silent = True

    def stop(self):
        try:
            self.reached = self.wanted.is_it(self.by_line)
        except (gdb.error, Problem) as error:
            print(f"weir: {error}")
            self.reached = True
        return self.reached


class LaunchBreakpoint(gdb.Breakpoint):
    """Stops where the wanted launch begins."""

    def __init__(self, wanted):
        super().__init__("weiri_launch_run", internal=True)
        self.wanted, self.reached = wanted, False
        self.silent = True

    def stop(self):
        self.reached = self.wanted.is_launch()
        return self.reached


class ReplayTo(gdb.Command):
    """What `weir replay --gdb` begins with; not for users."""

    # Weir's handlers make findings of these.
    SIGNALS = "SIGSEGV SIGBUS SIGFPE SIGILL SIGABRT"

    def __init__(self):
        super().__init__("weir-replay-to", gdb.COMMAND_OBSCURE)

    def invoke(self, argument, from_tty):
        wanted = Wanted(argument)
        if wanted.reports is not None:
            self.begin_anew(wanted.reports)
        if wanted.runs:
            gdb.execute("run")
            return
        if wanted.kind is None:
            reached = self.run_to(wanted, LaunchBreakpoint(wanted))
            if reached:
                self.enter_kernel(wanted)
        else:
            reached = self.run_to(wanted, FindingBreakpoint(wanted, True))
            # An optimised program may have no line for it.
            again = not reached and not wanted.waits
            reached = reached or again and self.run_to(wanted, FindingBreakpoint(wanted, False))
        if not reached:
            raise Problem("weir: the run did not reach the finding")
        print(wanted.text.rstrip())
        if wanted.kind is not None:
            self.select(wanted)

    @staticmethod
    def begin_anew(path):
        """Before each run: a launch counts those that there are reports of."""
        remove = f"python import os; os.path.exists({path!r}) and os.unlink({path!r})"
        for name in ("run", "start", "starti"):
            gdb.execute(f"define hook-{name}\n{remove}\nend", to_string=True)

    @classmethod
    def run_to(cls, wanted, breakpoint_):
        """Runs until the breakpoint is reached. Returns: whether it is; otherwise the
        program has ended, or has stopped for another reason."""
        gdb.execute(f"handle {cls.SIGNALS} nostop noprint pass", to_string=True)
        try:
            gdb.execute("continue" if wanted.waits else "run")
        finally:
            reached = breakpoint_.reached
            breakpoint_.delete()
            gdb.execute(f"handle {cls.SIGNALS} stop print pass", to_string=True)
        return reached

    @staticmethod
    def enter_kernel(wanted):
        """From the beginning of the launch to its first item."""
        try:
            gdb.execute(f"tbreak {wanted.kernel}__body", to_string=True)
        except gdb.error:
            return  # no debugging information
        gdb.execute("continue", to_string=True)

    @staticmethod
    def select(wanted):
        """Selects the item that runs, or else one that waits."""
        groups = {tuple(group.index): group for group in Runtime.workers()[0].groups()}
        for group in groups.values():
            if group.running() is not None:
                (user_frame(gdb.newest_frame()) or gdb.newest_frame()).select()
                phase = group.phase
                print(f"[item {group.running()} of {group}, running, phase {phase}]")
                WorkItem.show_frame()
                return
        for party in wanted.parties:
            group = groups.get(tuple(party["group"]))
            if group is not None and group.stacks[party["item"]] != NO_STACK:
                gdb.execute(f"work-item {group.linear}.{party['item']}")
                return


# ---- Into gdb ------------------------------------------------------------------------

# Commands of gdb that ask for the identity of the innermost frame: the selection
# ends before them. "return" would put the thread onto the item's stack.
STEPPING = ("step", "next", "stepi", "nexti", "until", "advance", "finish")


class BeforeCommand(gdb.Command):
    """What hooks of gdb's own commands call; not for users."""

    name = "weir-before-command"

    def __init__(self):
        super().__init__(self.name, gdb.COMMAND_OBSCURE, gdb.COMPLETE_NONE)
        for name in STEPPING + ("return",):
            try:
                gdb.execute(f"show user hook-{name}", to_string=True)
            except gdb.error:  # the user has none
                hook = f"define hook-{name}\n{self.name} {name}\nend"
                gdb.execute(hook, to_string=True)

    def invoke(self, argument, from_tty):
        if not Selection.is_here():
            return
        if argument == "return":
            raise Problem(f"{Selection.current} is suspended: it cannot return")
        Selection.leave()


def install():
    gdb.unwinder.register_unwinder(None, ItemUnwinder(), replace=True)
    gdb.frame_filters[ItemFrames.name] = ItemFrames()
    gdb.events.cont.connect(on_continue)
    gdb.events.exited.connect(lambda event: Selection.forget())
    commands = (InfoWorkGroups, InfoWorkItems, WorkItem, BreakItem, BreakFinding)
    for command in (*commands, BeforeCommand, ReplayTo):
        command()


if __name__ != "__main__":
    install()
elif "weir_gdb" not in sys.modules:
    # gdb runs all scripts that it sources in one namespace, where names of others could
    # displace these: the script runs once more, as a module.
    path = install.__code__.co_filename  # __file__ may be that of the script that sources it
    module = sys.modules["weir_gdb"] = types.ModuleType("weir_gdb")
    with open(path, encoding="utf-8") as source:
        exec(compile(source.read(), path, "exec"), module.__dict__)
