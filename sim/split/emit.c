/* SPDX-License-Identifier: MIT
 *
 * emit.c: the context of LLVM, its messages, and the object of a module.
 *
 * LLVM 14 to 19 make a wrong instruction of AVX-512 where a select chooses between a
 * value, and bits of it and of another one that a constant picks:
 *
 *     c ? (a & M) | (b & ~M) : a
 *
 * This is one vpternlog with a mask. Its operands may be in any order if its table of
 * eight bits follows. If M is one word that is repeated, and the value is the second
 * operand, the table belongs to another order. Such an instruction may also be correct:
 * its code does not show it. So a module whose object has one is compiled once more,
 * without AVX-512. */
#include "config.h"

#include "split/ir.h"
#include "split/stackless.h"

#include <stdio.h>
#include <string.h>

void weiri_split_say(const char *message)
{
    const char *name = g_get_prgname();
    fprintf(stderr, "%s: %s\n", name != NULL ? name : "weir-split", message);
}

static bool weiri_split_has_failed;

static void diagnose(struct llvm_diagnostic *diagnostic, void *data)
{
    (void)data;
    if (llvm.GetDiagInfoSeverity(diagnostic) == LLVM_ERROR) {
        char *message = llvm.GetDiagInfoDescription(diagnostic);
        weiri_split_say(message);
        llvm.DisposeMessage(message);
        weiri_split_has_failed = true;
    }
}

struct llvm_context *weiri_split_context(void)
{
    struct llvm_context *context = llvm.ContextCreate();
    llvm.ContextSetDiagnosticHandler(context, diagnose, NULL);
    weiri_ir_use(context);
    return context;
}

/* ---- AVX-512 -------------------------------------------------------------- */

static const char features[] = "target-features";

/* Whether code of the function may have instructions of AVX-512, as clang says. */
static bool may_have_masks(struct llvm_value *function)
{
    unsigned length;
    struct llvm_attribute *attribute = llvm.GetStringAttributeAtIndex(
        function, LLVM_FUNCTION, features, sizeof(features) - 1);
    const char *has
        = attribute == NULL ? NULL : llvm.GetStringAttributeValue(attribute, &length);
    return has != NULL && g_strstr_len(has, length, "+avx512f") != NULL;
}

static void forbid_masks(struct llvm_value *function)
{
    unsigned length;
    struct llvm_attribute *attribute = llvm.GetStringAttributeAtIndex(
        function, LLVM_FUNCTION, features, sizeof(features) - 1);
    if (attribute != NULL) {
        const char *has = llvm.GetStringAttributeValue(attribute, &length);
        g_autofree char *less = g_strdup_printf("%.*s,-avx512f", (int)length, has);
        llvm.AddAttributeAtIndex(function, LLVM_FUNCTION,
                                 llvm.CreateStringAttribute(
                                     weiri_ir_context(), features, sizeof(features) - 1,
                                     less, (unsigned)strlen(less)));
    }
}

/* Whether code has a vpternlog with an operand that is one repeated word of memory, and
 * with a mask that keeps elements of the target: 62, three bytes of prefix, 25, ModRM.
 * Other bytes may look like one. */
static bool has_masked_ternary(const unsigned char *code, size_t bytes)
{
    enum { LENGTH = 6, EVEX = 0x62, TERNARY = 0x25, REGISTERS = 0xc0 };
    enum { MAP = 0x0f, MAP_3 = 3, MASK = 7, REPEATS = 0x10, ZEROES = 0x80 };
    for (size_t i = 0; i + LENGTH <= bytes; i++) {
        const unsigned char *at = code + i;
        if (at[0] == EVEX && (at[1] & MAP) == MAP_3 && at[4] == TERNARY
            && (at[3] & MASK) != 0 && (at[3] & (REPEATS | ZEROES)) == REPEATS
            && (at[5] & REGISTERS) != REGISTERS) {
            return true;
        }
    }
    return false;
}

static bool is_suspect(const char *object)
{
    g_autofree char *bytes = NULL;
    size_t length;
    return g_file_get_contents(object, &bytes, &length, NULL)
        && has_masked_ternary((const unsigned char *)bytes, length);
}

/* ---- Objects -------------------------------------------------------------- */

static bool emit(struct llvm_module *module, struct llvm_machine *machine,
                 const char *object)
{
    char *message = NULL;
    if (llvm.TargetMachineEmitToFile(machine, module, object, LLVM_OBJECT_FILE,
                                     &message)
            != 0
        || weiri_split_has_failed) {
        g_autofree char *line = g_strdup_printf(
            "%s: %s", object, message != NULL ? message : "LLVM has written no object");
        weiri_split_say(line);
        return false;
    }
    return true;
}

bool weiri_split_emit(struct llvm_module *module, struct llvm_machine *machine,
                      const char *object)
{
    bool masks = false;
    for (struct llvm_value *f = llvm.GetFirstFunction(module); f != NULL && !masks;
         f = llvm.GetNextFunction(f)) {
        masks = !llvm.IsDeclaration(f) && may_have_masks(f);
    }
    /* To make code changes the module. */
    struct llvm_module *again = masks ? llvm.CloneModule(module) : NULL;
    bool done = emit(module, machine, object);
    if (done && again != NULL && is_suspect(object)) {
        for (struct llvm_value *f = llvm.GetFirstFunction(again); f != NULL;
             f = llvm.GetNextFunction(f)) {
            forbid_masks(f);
        }
        done = emit(again, machine, object);
    }
    if (again != NULL) {
        llvm.DisposeModule(again);
    }
    return done;
}
