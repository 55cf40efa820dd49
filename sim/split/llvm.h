/* SPDX-License-Identifier: MIT
 *
 * llvm.h: LLVM's C API, as far as weir-split uses it: a table of functions that
 * weiri_llvm_open() fills from the libLLVM of the clang in use.
 *
 * The declarations are Weir's own, so that a build needs no headers of LLVM and one
 * program serves several versions. A function FOO of the table is LLVMFOO. Those of
 * WEIRI_LLVM_OPTIONAL are NULL where the library has none: callers ask for the
 * function, never for a version.
 *
 * The numbers of the enumerations are part of LLVM's stable C interface. */
#ifndef WEIR_SPLIT_LLVM_H
#define WEIR_SPLIT_LLVM_H

#include <glib.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Types ---------------------------------------------------------------- */

struct llvm_attribute;
struct llvm_block;
struct llvm_buffer;
struct llvm_builder;
struct llvm_comdat;
struct llvm_context;
struct llvm_debug; /* makes debug information */
struct llvm_diagnostic;
struct llvm_entries; /* kinds and nodes of an instruction's metadata */
struct llvm_error;
struct llvm_layout;
struct llvm_machine;
struct llvm_metadata;
struct llvm_module;
struct llvm_options; /* of passes */
struct llvm_passes;  /* of functions, of the old kind */
struct llvm_target;
struct llvm_type;
struct llvm_use;
struct llvm_value;

typedef void llvm_diagnose(struct llvm_diagnostic *diagnostic, void *data);

enum { LLVM_FUNCTION = -1 }; /* an attribute's place */
enum { LLVM_RETURN_STATUS = 2 };
enum { LLVM_OBJECT_FILE = 1 };
enum { LLVM_ERROR = 0 }; /* a diagnostic's severity */
enum { LLVM_NOT_ATOMIC = 0, LLVM_UNORDERED = 1, LLVM_MONOTONIC = 2 };
enum { LLVM_UNNAMED = 2 }; /* of an address: it is of no importance */

enum llvm_opcode {
    LLVM_RET = 1,
    LLVM_BR = 2,
    LLVM_SWITCH = 3,
    LLVM_UNREACHABLE = 7,
    LLVM_ADD = 8,
    LLVM_FADD = 9,
    LLVM_SUB = 10,
    LLVM_FSUB = 11,
    LLVM_MUL = 12,
    LLVM_FMUL = 13,
    LLVM_UDIV = 14,
    LLVM_SDIV = 15,
    LLVM_FDIV = 16,
    LLVM_UREM = 17,
    LLVM_SREM = 18,
    LLVM_FREM = 19,
    LLVM_SHL = 20,
    LLVM_LSHR = 21,
    LLVM_ASHR = 22,
    LLVM_AND = 23,
    LLVM_OR = 24,
    LLVM_XOR = 25,
    LLVM_ALLOCA = 26,
    LLVM_LOAD = 27,
    LLVM_STORE = 28,
    LLVM_GEP = 29,
    LLVM_TRUNC = 30,
    LLVM_ZEXT = 31,
    LLVM_SEXT = 32,
    LLVM_FPTOUI = 33,
    LLVM_FPTOSI = 34,
    LLVM_UITOFP = 35,
    LLVM_SITOFP = 36,
    LLVM_FPTRUNC = 37,
    LLVM_FPEXT = 38,
    LLVM_PTRTOINT = 39,
    LLVM_INTTOPTR = 40,
    LLVM_BITCAST = 41,
    LLVM_ICMP = 42,
    LLVM_FCMP = 43,
    LLVM_PHI = 44,
    LLVM_CALL = 45,
    LLVM_SELECT = 46,
    LLVM_EXTRACT_ELEMENT = 50,
    LLVM_INSERT_ELEMENT = 51,
    LLVM_SHUFFLE_VECTOR = 52,
    LLVM_EXTRACT_VALUE = 53,
    LLVM_INSERT_VALUE = 54,
    LLVM_FENCE = 55,
    LLVM_CMPXCHG = 56,
    LLVM_ATOMIC_RMW = 57,
    LLVM_ADDRSPACE_CAST = 60,
    LLVM_FNEG = 66,
    LLVM_FREEZE = 68,
};

enum llvm_kind {
    LLVM_HALF = 1,
    LLVM_FLOAT = 2,
    LLVM_DOUBLE = 3,
    LLVM_X86_FP80 = 4,
    LLVM_FP128 = 5,
    LLVM_INTEGER = 8,
    LLVM_FUNCTION_TYPE = 9,
    LLVM_STRUCT = 10,
    LLVM_ARRAY = 11,
    LLVM_POINTER = 12,
    LLVM_VECTOR = 13,
    LLVM_SCALABLE_VECTOR = 17,
    LLVM_BFLOAT = 18,
};

enum llvm_linkage {
    LLVM_EXTERNAL = 0,
    LLVM_AVAILABLE_EXTERNALLY = 1,
    LLVM_LINK_ONCE_ANY = 2,
    LLVM_LINK_ONCE_ODR = 3,
    LLVM_WEAK_ANY = 5,
    LLVM_WEAK_ODR = 6,
    LLVM_APPENDING = 7,
    LLVM_INTERNAL = 8,
    LLVM_PRIVATE = 9,
    LLVM_EXTERNAL_WEAK = 12,
    LLVM_COMMON = 14,
};

enum llvm_predicate {
    LLVM_EQ = 32,
    LLVM_NE = 33,
    LLVM_ULT = 36,
    LLVM_SLT = 40,
};

enum llvm_real_predicate { LLVM_OEQ = 1, LLVM_OGT = 2, LLVM_OLT = 4, LLVM_UNO = 8 };

/* ---- Functions ------------------------------------------------------------ */

/* X(RESULT, NAME, PARAMETERS) */
#define WEIRI_LLVM_REQUIRED(X)                                                         \
    /* contexts, modules and buffers */                                                \
    X(struct llvm_context *, ContextCreate, (void))                                    \
    X(void, ContextDispose, (struct llvm_context *))                                   \
    X(void, ContextSetDiagnosticHandler,                                               \
      (struct llvm_context *, llvm_diagnose *, void *))                                \
    X(void, ContextSetDiscardValueNames, (struct llvm_context *, int))                 \
    X(int, GetDiagInfoSeverity, (struct llvm_diagnostic *))                            \
    X(char *, GetDiagInfoDescription, (struct llvm_diagnostic *))                      \
    X(void, DisposeMessage, (char *))                                                  \
    X(void, ConsumeError, (struct llvm_error *))                                       \
    X(char *, GetErrorMessage, (struct llvm_error *))                                  \
    X(int, CreateMemoryBufferWithContentsOfFile,                                       \
      (const char *, struct llvm_buffer **, char **))                                  \
    X(struct llvm_buffer *, CreateMemoryBufferWithMemoryRangeCopy,                     \
      (const char *, size_t, const char *))                                            \
    X(void, DisposeMemoryBuffer, (struct llvm_buffer *))                               \
    X(int, ParseBitcodeInContext2,                                                     \
      (struct llvm_context *, struct llvm_buffer *, struct llvm_module **))            \
    X(int, ParseIRInContext,                                                           \
      (struct llvm_context *, struct llvm_buffer *, struct llvm_module **, char **))   \
    X(int, WriteBitcodeToFile, (struct llvm_module *, const char *))                   \
    X(void, DisposeModule, (struct llvm_module *))                                     \
    X(struct llvm_module *, CloneModule, (struct llvm_module *))                       \
    X(int, VerifyModule, (struct llvm_module *, int, char **))                         \
    X(char *, PrintModuleToString, (struct llvm_module *))                             \
    X(char *, PrintValueToString, (struct llvm_value *))                               \
    X(const char *, GetTarget, (struct llvm_module *))                                 \
    X(struct llvm_layout *, GetModuleDataLayout, (struct llvm_module *))               \
    X(struct llvm_metadata *, GetModuleFlag,                                           \
      (struct llvm_module *, const char *, size_t))                                    \
    X(unsigned long long, ABISizeOfType, (struct llvm_layout *, struct llvm_type *))   \
    X(struct llvm_module *, ModuleCreateWithNameInContext,                             \
      (const char *, struct llvm_context *))                                           \
    X(int, GetBitcodeModuleInContext2,                                                 \
      (struct llvm_context *, struct llvm_buffer *, struct llvm_module **))            \
    X(int, LinkModules2, (struct llvm_module *, struct llvm_module *))                 \
    X(const char *, GetDataLayoutStr, (struct llvm_module *))                          \
    X(void, SetDataLayout, (struct llvm_module *, const char *))                       \
    X(void, SetTarget, (struct llvm_module *, const char *))                           \
    X(void, AddModuleFlag,                                                             \
      (struct llvm_module *, int, const char *, size_t, struct llvm_metadata *))       \
    X(void, AddNamedMetadataOperand,                                                   \
      (struct llvm_module *, const char *, struct llvm_value *))                       \
    X(unsigned, ABIAlignmentOfType, (struct llvm_layout *, struct llvm_type *))        \
    X(unsigned long long, OffsetOfElement,                                             \
      (struct llvm_layout *, struct llvm_type *, unsigned))                            \
    /* passes and code */                                                              \
    X(void, ParseCommandLineOptions, (int, const char *const *, const char *))         \
    X(struct llvm_options *, CreatePassBuilderOptions, (void))                         \
    X(void, DisposePassBuilderOptions, (struct llvm_options *))                        \
    X(void, PassBuilderOptionsSetLoopInterleaving, (struct llvm_options *, int))       \
    X(void, PassBuilderOptionsSetLoopUnrolling, (struct llvm_options *, int))          \
    X(struct llvm_error *, RunPasses,                                                  \
      (struct llvm_module *, const char *, struct llvm_machine *,                      \
       struct llvm_options *))                                                         \
    X(int, GetTargetFromTriple, (const char *, struct llvm_target **, char **))        \
    X(struct llvm_machine *, CreateTargetMachine,                                      \
      (struct llvm_target *, const char *, const char *, const char *, int, int, int)) \
    X(void, DisposeTargetMachine, (struct llvm_machine *))                             \
    X(int, TargetMachineEmitToFile,                                                    \
      (struct llvm_machine *, struct llvm_module *, const char *, int, char **))       \
    /* globals */                                                                      \
    X(struct llvm_value *, GetFirstFunction, (struct llvm_module *))                   \
    X(struct llvm_value *, GetNextFunction, (struct llvm_value *))                     \
    X(struct llvm_value *, GetNamedFunction, (struct llvm_module *, const char *))     \
    X(struct llvm_value *, AddFunction,                                                \
      (struct llvm_module *, const char *, struct llvm_type *))                        \
    X(struct llvm_value *, GetFirstGlobal, (struct llvm_module *))                     \
    X(struct llvm_value *, GetNextGlobal, (struct llvm_value *))                       \
    X(struct llvm_value *, GetNamedGlobal, (struct llvm_module *, const char *))       \
    X(void, DeleteFunction, (struct llvm_value *))                                     \
    X(void, DeleteGlobal, (struct llvm_value *))                                       \
    X(struct llvm_value *, GetInitializer, (struct llvm_value *))                      \
    X(int, IsGlobalConstant, (struct llvm_value *))                                    \
    X(int, IsDeclaration, (struct llvm_value *))                                       \
    X(struct llvm_value *, GetFirstGlobalAlias, (struct llvm_module *))                \
    X(struct llvm_value *, GetNextGlobalAlias, (struct llvm_value *))                  \
    X(struct llvm_value *, GetFirstGlobalIFunc, (struct llvm_module *))                \
    X(struct llvm_value *, GetNextGlobalIFunc, (struct llvm_value *))                  \
    X(int, GetLinkage, (struct llvm_value *))                                          \
    X(void, SetLinkage, (struct llvm_value *, int))                                    \
    X(void, SetVisibility, (struct llvm_value *, int))                                 \
    X(void, GlobalEraseMetadata, (struct llvm_value *, unsigned))                      \
    X(void, SetComdat, (struct llvm_value *, struct llvm_comdat *))                    \
    X(struct llvm_type *, GlobalGetValueType, (struct llvm_value *))                   \
    X(unsigned, GetIntrinsicID, (struct llvm_value *))                                 \
    X(unsigned, LookupIntrinsicID, (const char *, size_t))                             \
    X(struct llvm_value *, GetIntrinsicDeclaration,                                    \
      (struct llvm_module *, unsigned, struct llvm_type **, size_t))                   \
    X(unsigned, GetEnumAttributeKindForName, (const char *, size_t))                   \
    X(struct llvm_attribute *, CreateEnumAttribute,                                    \
      (struct llvm_context *, unsigned, uint64_t))                                     \
    X(struct llvm_attribute *, CreateStringAttribute,                                  \
      (struct llvm_context *, const char *, unsigned, const char *, unsigned))         \
    X(uint64_t, GetEnumAttributeValue, (struct llvm_attribute *))                      \
    X(unsigned, GetEnumAttributeKind, (struct llvm_attribute *))                       \
    X(int, IsStringAttribute, (struct llvm_attribute *))                               \
    X(int, IsEnumAttribute, (struct llvm_attribute *))                                 \
    X(unsigned, GetAttributeCountAtIndex, (struct llvm_value *, int))                  \
    X(void, GetAttributesAtIndex,                                                      \
      (struct llvm_value *, int, struct llvm_attribute **))                            \
    X(struct llvm_attribute *, GetEnumAttributeAtIndex,                                \
      (struct llvm_value *, int, unsigned))                                            \
    X(void, AddAttributeAtIndex, (struct llvm_value *, int, struct llvm_attribute *))  \
    X(void, RemoveEnumAttributeAtIndex, (struct llvm_value *, int, unsigned))          \
    X(struct llvm_value *, AddGlobal,                                                  \
      (struct llvm_module *, struct llvm_type *, const char *))                        \
    X(void, SetInitializer, (struct llvm_value *, struct llvm_value *))                \
    X(void, SetGlobalConstant, (struct llvm_value *, int))                             \
    X(void, SetSection, (struct llvm_value *, const char *))                           \
    X(void, SetUnnamedAddress, (struct llvm_value *, int))                             \
    X(int, GetVisibility, (struct llvm_value *))                                       \
    X(unsigned, GetAlignment, (struct llvm_value *))                                   \
    X(void, SetAlignment, (struct llvm_value *, unsigned))                             \
    X(unsigned, GetFunctionCallConv, (struct llvm_value *))                            \
    X(void, SetInstructionCallConv, (struct llvm_value *, unsigned))                   \
    X(struct llvm_entries *, GlobalCopyAllMetadata, (struct llvm_value *, size_t *))   \
    X(struct llvm_metadata *, ValueMetadataEntriesGetMetadata,                         \
      (struct llvm_entries *, unsigned))                                               \
    X(struct llvm_metadata *, GetSubprogram, (struct llvm_value *))                    \
    X(void, SetSubprogram, (struct llvm_value *, struct llvm_metadata *))              \
    X(struct llvm_attribute *, GetStringAttributeAtIndex,                              \
      (struct llvm_value *, int, const char *, unsigned))                              \
    X(void, RemoveStringAttributeAtIndex,                                              \
      (struct llvm_value *, int, const char *, unsigned))                              \
    X(const char *, GetStringAttributeKind, (struct llvm_attribute *, unsigned *))     \
    X(const char *, GetStringAttributeValue, (struct llvm_attribute *, unsigned *))    \
    X(int, IsTypeAttribute, (struct llvm_attribute *))                                 \
    X(struct llvm_type *, GetTypeAttributeValue, (struct llvm_attribute *))            \
    X(struct llvm_attribute *, CreateTypeAttribute,                                    \
      (struct llvm_context *, unsigned, struct llvm_type *))                           \
    X(struct llvm_attribute *, GetCallSiteEnumAttribute,                               \
      (struct llvm_value *, int, unsigned))                                            \
    X(unsigned, GetCallSiteAttributeCount, (struct llvm_value *, int))                 \
    X(void, GetCallSiteAttributes,                                                     \
      (struct llvm_value *, int, struct llvm_attribute **))                            \
    X(void, AddCallSiteAttribute, (struct llvm_value *, int, struct llvm_attribute *)) \
    X(void, RemoveCallSiteEnumAttribute, (struct llvm_value *, int, unsigned))         \
    X(void, RemoveCallSiteStringAttribute,                                             \
      (struct llvm_value *, int, const char *, unsigned))                              \
    /* types */                                                                        \
    X(struct llvm_type *, GetElementType, (struct llvm_type *))                        \
    X(unsigned, GetPointerAddressSpace, (struct llvm_type *))                          \
    X(struct llvm_type *, VectorType, (struct llvm_type *, unsigned))                  \
    X(unsigned, GetVectorSize, (struct llvm_type *))                                   \
    X(struct llvm_type *, ArrayType, (struct llvm_type *, unsigned))                   \
    X(unsigned, GetArrayLength, (struct llvm_type *))                                  \
    X(struct llvm_type *, StructCreateNamed, (struct llvm_context *, const char *))    \
    X(const char *, GetStructName, (struct llvm_type *))                               \
    X(void, StructSetBody, (struct llvm_type *, struct llvm_type **, unsigned, int))   \
    X(struct llvm_type *, StructTypeInContext,                                         \
      (struct llvm_context *, struct llvm_type **, unsigned, int))                     \
    X(int, IsPackedStruct, (struct llvm_type *))                                       \
    X(int, IsOpaqueStruct, (struct llvm_type *))                                       \
    X(int, IsFunctionVarArg, (struct llvm_type *))                                     \
    X(void, GetParamTypes, (struct llvm_type *, struct llvm_type **))                  \
    X(struct llvm_type *, HalfTypeInContext, (struct llvm_context *))                  \
    X(struct llvm_type *, FloatTypeInContext, (struct llvm_context *))                 \
    X(struct llvm_type *, DoubleTypeInContext, (struct llvm_context *))                \
    X(struct llvm_type *, TypeOf, (struct llvm_value *))                               \
    X(int, GetTypeKind, (struct llvm_type *))                                          \
    X(struct llvm_type *, VoidTypeInContext, (struct llvm_context *))                  \
    X(struct llvm_type *, IntTypeInContext, (struct llvm_context *, unsigned))         \
    X(unsigned, GetIntTypeWidth, (struct llvm_type *))                                 \
    X(struct llvm_type *, TokenTypeInContext, (struct llvm_context *))                 \
    X(struct llvm_type *, PointerType, (struct llvm_type *, unsigned))                 \
    X(struct llvm_type *, FunctionType,                                                \
      (struct llvm_type *, struct llvm_type **, unsigned, int))                        \
    X(struct llvm_type *, GetReturnType, (struct llvm_type *))                         \
    X(unsigned, CountParamTypes, (struct llvm_type *))                                 \
    X(unsigned, CountStructElementTypes, (struct llvm_type *))                         \
    X(struct llvm_type *, StructGetTypeAtIndex, (struct llvm_type *, unsigned))        \
    /* values */                                                                       \
    X(const char *, GetValueName2, (struct llvm_value *, size_t *))                    \
    X(void, SetValueName2, (struct llvm_value *, const char *, size_t))                \
    X(void, ReplaceAllUsesWith, (struct llvm_value *, struct llvm_value *))            \
    X(struct llvm_use *, GetFirstUse, (struct llvm_value *))                           \
    X(struct llvm_use *, GetNextUse, (struct llvm_use *))                              \
    X(struct llvm_value *, GetUser, (struct llvm_use *))                               \
    X(int, GetNumOperands, (struct llvm_value *))                                      \
    X(struct llvm_value *, GetOperand, (struct llvm_value *, unsigned))                \
    X(void, SetOperand, (struct llvm_value *, unsigned, struct llvm_value *))          \
    X(int, IsConstant, (struct llvm_value *))                                          \
    X(struct llvm_value *, IsAConstantInt, (struct llvm_value *))                      \
    X(struct llvm_value *, IsAFunction, (struct llvm_value *))                         \
    X(struct llvm_value *, IsAGlobalVariable, (struct llvm_value *))                   \
    X(struct llvm_value *, IsAInstruction, (struct llvm_value *))                      \
    X(struct llvm_value *, ConstNull, (struct llvm_type *))                            \
    X(struct llvm_value *, GetUndef, (struct llvm_type *))                             \
    X(struct llvm_value *, ConstInt, (struct llvm_type *, unsigned long long, int))    \
    X(unsigned long long, ConstIntGetZExtValue, (struct llvm_value *))                 \
    X(long long, ConstIntGetSExtValue, (struct llvm_value *))                          \
    X(struct llvm_value *, ConstAllOnes, (struct llvm_type *))                         \
    X(struct llvm_value *, ConstStringInContext,                                       \
      (struct llvm_context *, const char *, unsigned, int))                            \
    X(struct llvm_value *, ConstStructInContext,                                       \
      (struct llvm_context *, struct llvm_value **, unsigned, int))                    \
    X(struct llvm_value *, ConstNamedStruct,                                           \
      (struct llvm_type *, struct llvm_value **, unsigned))                            \
    X(struct llvm_value *, ConstArray,                                                 \
      (struct llvm_type *, struct llvm_value **, unsigned))                            \
    X(struct llvm_value *, ConstVector, (struct llvm_value **, unsigned))              \
    X(int, GetConstOpcode, (struct llvm_value *))                                      \
    X(int, IsNull, (struct llvm_value *))                                              \
    X(int, IsUndef, (struct llvm_value *))                                             \
    X(struct llvm_value *, IsAConstantExpr, (struct llvm_value *))                     \
    X(struct llvm_value *, IsAConstantStruct, (struct llvm_value *))                   \
    X(struct llvm_value *, IsAConstantArray, (struct llvm_value *))                    \
    X(struct llvm_value *, IsAConstantVector, (struct llvm_value *))                   \
    X(struct llvm_value *, IsAArgument, (struct llvm_value *))                         \
    X(struct llvm_value *, IsAInlineAsm, (struct llvm_value *))                        \
    X(int, IsConstantString, (struct llvm_value *))                                    \
    X(const char *, GetAsString, (struct llvm_value *, size_t *))                      \
    X(int, ValueIsBasicBlock, (struct llvm_value *))                                   \
    X(struct llvm_value *, GetInlineAsm,                                               \
      (struct llvm_type *, const char *, size_t, const char *, size_t, int, int, int,  \
       int))                                                                           \
    X(unsigned, CountParams, (struct llvm_value *))                                    \
    X(struct llvm_value *, GetParam, (struct llvm_value *, unsigned))                  \
    /* blocks and instructions */                                                      \
    X(struct llvm_block *, GetFirstBasicBlock, (struct llvm_value *))                  \
    X(struct llvm_block *, GetNextBasicBlock, (struct llvm_block *))                   \
    X(struct llvm_block *, AppendBasicBlockInContext,                                  \
      (struct llvm_context *, struct llvm_value *, const char *))                      \
    X(struct llvm_block *, InsertBasicBlockInContext,                                  \
      (struct llvm_context *, struct llvm_block *, const char *))                      \
    X(struct llvm_value *, GetBasicBlockParent, (struct llvm_block *))                 \
    X(void, RemoveBasicBlockFromParent, (struct llvm_block *))                         \
    X(void, AppendExistingBasicBlock, (struct llvm_value *, struct llvm_block *))      \
    X(void, DeleteBasicBlock, (struct llvm_block *))                                   \
    X(struct llvm_value *, GetBasicBlockTerminator, (struct llvm_block *))             \
    X(struct llvm_value *, BasicBlockAsValue, (struct llvm_block *))                   \
    X(struct llvm_value *, GetFirstInstruction, (struct llvm_block *))                 \
    X(struct llvm_value *, GetNextInstruction, (struct llvm_value *))                  \
    X(struct llvm_block *, GetInstructionParent, (struct llvm_value *))                \
    X(int, GetInstructionOpcode, (struct llvm_value *))                                \
    X(struct llvm_value *, InstructionClone, (struct llvm_value *))                    \
    X(void, InstructionRemoveFromParent, (struct llvm_value *))                        \
    X(void, InstructionEraseFromParent, (struct llvm_value *))                         \
    X(int, GetICmpPredicate, (struct llvm_value *))                                    \
    X(struct llvm_value *, GetCalledValue, (struct llvm_value *))                      \
    X(unsigned, GetNumArgOperands, (struct llvm_value *))                              \
    X(void, SetTailCall, (struct llvm_value *, int))                                   \
    X(struct llvm_type *, GetAllocatedType, (struct llvm_value *))                     \
    X(struct llvm_type *, GetCalledFunctionType, (struct llvm_value *))                \
    X(int, IsInBounds, (struct llvm_value *))                                          \
    X(int, GetNumMaskElements, (struct llvm_value *))                                  \
    X(int, GetMaskValue, (struct llvm_value *, unsigned))                              \
    X(unsigned, GetNumIndices, (struct llvm_value *))                                  \
    X(const unsigned *, GetIndices, (struct llvm_value *))                             \
    X(struct llvm_value *, GetPreviousInstruction, (struct llvm_value *))              \
    X(void, SetVolatile, (struct llvm_value *, int))                                   \
    X(void, SetOrdering, (struct llvm_value *, int))                                   \
    X(int, GetVolatile, (struct llvm_value *))                                         \
    X(int, GetOrdering, (struct llvm_value *))                                         \
    X(struct llvm_type *, GetGEPSourceElementType, (struct llvm_value *))              \
    X(unsigned, GetNumSuccessors, (struct llvm_value *))                               \
    X(struct llvm_block *, GetSuccessor, (struct llvm_value *, unsigned))              \
    X(void, SetSuccessor, (struct llvm_value *, unsigned, struct llvm_block *))        \
    X(unsigned, CountIncoming, (struct llvm_value *))                                  \
    X(struct llvm_value *, GetIncomingValue, (struct llvm_value *, unsigned))          \
    X(struct llvm_block *, GetIncomingBlock, (struct llvm_value *, unsigned))          \
    X(void, AddIncoming,                                                               \
      (struct llvm_value *, struct llvm_value **, struct llvm_block **, unsigned))     \
    /* builders */                                                                     \
    X(struct llvm_builder *, CreateBuilderInContext, (struct llvm_context *))          \
    X(void, DisposeBuilder, (struct llvm_builder *))                                   \
    X(void, PositionBuilderBefore, (struct llvm_builder *, struct llvm_value *))       \
    X(void, PositionBuilderAtEnd, (struct llvm_builder *, struct llvm_block *))        \
    X(void, SetCurrentDebugLocation2, (struct llvm_builder *, struct llvm_metadata *)) \
    X(void, InsertIntoBuilder, (struct llvm_builder *, struct llvm_value *))           \
    X(struct llvm_value *, BuildRetVoid, (struct llvm_builder *))                      \
    X(struct llvm_value *, BuildRet, (struct llvm_builder *, struct llvm_value *))     \
    X(struct llvm_value *, BuildBr, (struct llvm_builder *, struct llvm_block *))      \
    X(struct llvm_value *, BuildCondBr,                                                \
      (struct llvm_builder *, struct llvm_value *, struct llvm_block *,                \
       struct llvm_block *))                                                           \
    X(struct llvm_value *, BuildSwitch,                                                \
      (struct llvm_builder *, struct llvm_value *, struct llvm_block *, unsigned))     \
    X(void, AddCase, (struct llvm_value *, struct llvm_value *, struct llvm_block *))  \
    X(struct llvm_value *, BuildUnreachable, (struct llvm_builder *))                  \
    X(struct llvm_value *, BuildBinOp,                                                 \
      (struct llvm_builder *, int, struct llvm_value *, struct llvm_value *,           \
       const char *))                                                                  \
    X(struct llvm_value *, BuildNUWAdd,                                                \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *, const char *)) \
    X(struct llvm_value *, BuildCast,                                                  \
      (struct llvm_builder *, int, struct llvm_value *, struct llvm_type *,            \
       const char *))                                                                  \
    X(struct llvm_value *, BuildICmp,                                                  \
      (struct llvm_builder *, int, struct llvm_value *, struct llvm_value *,           \
       const char *))                                                                  \
    X(struct llvm_value *, BuildPhi,                                                   \
      (struct llvm_builder *, struct llvm_type *, const char *))                       \
    X(struct llvm_value *, BuildFreeze,                                                \
      (struct llvm_builder *, struct llvm_value *, const char *))                      \
    X(struct llvm_value *, BuildLoad2,                                                 \
      (struct llvm_builder *, struct llvm_type *, struct llvm_value *, const char *))  \
    X(struct llvm_value *, BuildStore,                                                 \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *))               \
    X(struct llvm_value *, BuildMemCpy,                                                \
      (struct llvm_builder *, struct llvm_value *, unsigned, struct llvm_value *,      \
       unsigned, struct llvm_value *))                                                 \
    X(struct llvm_value *, BuildGEP2,                                                  \
      (struct llvm_builder *, struct llvm_type *, struct llvm_value *,                 \
       struct llvm_value **, unsigned, const char *))                                  \
    X(struct llvm_value *, BuildInBoundsGEP2,                                          \
      (struct llvm_builder *, struct llvm_type *, struct llvm_value *,                 \
       struct llvm_value **, unsigned, const char *))                                  \
    X(struct llvm_value *, BuildCall2,                                                 \
      (struct llvm_builder *, struct llvm_type *, struct llvm_value *,                 \
       struct llvm_value **, unsigned, const char *))                                  \
    X(struct llvm_value *, BuildFNeg,                                                  \
      (struct llvm_builder *, struct llvm_value *, const char *))                      \
    X(struct llvm_value *, BuildFCmp,                                                  \
      (struct llvm_builder *, int, struct llvm_value *, struct llvm_value *,           \
       const char *))                                                                  \
    X(int, GetFCmpPredicate, (struct llvm_value *))                                    \
    X(struct llvm_value *, BuildAlloca,                                                \
      (struct llvm_builder *, struct llvm_type *, const char *))                       \
    X(struct llvm_value *, BuildSelect,                                                \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *,                \
       struct llvm_value *, const char *))                                             \
    X(struct llvm_value *, BuildExtractElement,                                        \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *, const char *)) \
    X(struct llvm_value *, BuildInsertElement,                                         \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *,                \
       struct llvm_value *, const char *))                                             \
    X(struct llvm_value *, BuildShuffleVector,                                         \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *,                \
       struct llvm_value *, const char *))                                             \
    X(struct llvm_value *, BuildExtractValue,                                          \
      (struct llvm_builder *, struct llvm_value *, unsigned, const char *))            \
    X(struct llvm_value *, BuildInsertValue,                                           \
      (struct llvm_builder *, struct llvm_value *, struct llvm_value *, unsigned,      \
       const char *))                                                                  \
    X(struct llvm_metadata *, GetCurrentDebugLocation2, (struct llvm_builder *))       \
    /* debug information */                                                            \
    X(struct llvm_debug *, CreateDIBuilder, (struct llvm_module *))                    \
    X(void, DIBuilderFinalize, (struct llvm_debug *))                                  \
    X(void, DisposeDIBuilder, (struct llvm_debug *))                                   \
    X(struct llvm_metadata *, DIBuilderCreateFile,                                     \
      (struct llvm_debug *, const char *, size_t, const char *, size_t))               \
    X(struct llvm_metadata *, DIBuilderCreateCompileUnit,                              \
      (struct llvm_debug *, int, struct llvm_metadata *, const char *, size_t, int,    \
       const char *, size_t, unsigned, const char *, size_t, int, unsigned, int, int,  \
       const char *, size_t, const char *, size_t))                                    \
    X(struct llvm_metadata *, DIBuilderCreateSubroutineType,                           \
      (struct llvm_debug *, struct llvm_metadata *, struct llvm_metadata **, unsigned, \
       int))                                                                           \
    X(struct llvm_metadata *, DIBuilderCreateFunction,                                 \
      (struct llvm_debug *, struct llvm_metadata *, const char *, size_t,              \
       const char *, size_t, struct llvm_metadata *, unsigned, struct llvm_metadata *, \
       int, int, unsigned, int, int))                                                  \
    X(struct llvm_metadata *, DIBuilderCreateGlobalVariableExpression,                 \
      (struct llvm_debug *, struct llvm_metadata *, const char *, size_t,              \
       const char *, size_t, struct llvm_metadata *, unsigned, struct llvm_metadata *, \
       int, struct llvm_metadata *, struct llvm_metadata *, uint32_t))                 \
    X(void, GlobalSetMetadata,                                                         \
      (struct llvm_value *, unsigned, struct llvm_metadata *))                         \
    X(struct llvm_metadata *, DIBuilderCreateExpression,                               \
      (struct llvm_debug *, uint64_t *, size_t))                                       \
    X(struct llvm_metadata *, DIBuilderCreateDebugLocation,                            \
      (struct llvm_context *, unsigned, unsigned, struct llvm_metadata *,              \
       struct llvm_metadata *))                                                        \
    X(unsigned, DILocationGetLine, (struct llvm_metadata *))                           \
    X(struct llvm_metadata *, DILocationGetScope, (struct llvm_metadata *))            \
    X(struct llvm_metadata *, DILocationGetInlinedAt, (struct llvm_metadata *))        \
    X(struct llvm_metadata *, DIScopeGetFile, (struct llvm_metadata *))                \
    X(const char *, DIFileGetFilename, (struct llvm_metadata *, unsigned *))           \
    X(const char *, DIFileGetDirectory, (struct llvm_metadata *, unsigned *))          \
    X(unsigned, DISubprogramGetLine, (struct llvm_metadata *))                         \
    X(struct llvm_metadata *, DIVariableGetFile, (struct llvm_metadata *))             \
    X(unsigned, DIVariableGetLine, (struct llvm_metadata *))                           \
    X(struct llvm_metadata *, DIGlobalVariableExpressionGetVariable,                   \
      (struct llvm_metadata *))                                                        \
    X(uint64_t, DITypeGetSizeInBits, (struct llvm_metadata *))                         \
    X(uint64_t, DITypeGetOffsetInBits, (struct llvm_metadata *))                       \
    X(int, DITypeGetFlags, (struct llvm_metadata *))                                   \
    X(int, GetMetadataKind, (struct llvm_metadata *))                                  \
    /* metadata */                                                                     \
    X(unsigned, GetMDKindIDInContext, (struct llvm_context *, const char *, unsigned)) \
    X(struct llvm_value *, GetMetadata, (struct llvm_value *, unsigned))               \
    X(void, SetMetadata, (struct llvm_value *, unsigned, struct llvm_value *))         \
    X(struct llvm_entries *, InstructionGetAllMetadataOtherThanDebugLoc,               \
      (struct llvm_value *, size_t *))                                                 \
    X(unsigned, ValueMetadataEntriesGetKind, (struct llvm_entries *, unsigned))        \
    X(void, DisposeValueMetadataEntries, (struct llvm_entries *))                      \
    X(struct llvm_metadata *, MDStringInContext2,                                      \
      (struct llvm_context *, const char *, size_t))                                   \
    X(struct llvm_metadata *, MDNodeInContext2,                                        \
      (struct llvm_context *, struct llvm_metadata **, size_t))                        \
    X(struct llvm_metadata *, TemporaryMDNode,                                         \
      (struct llvm_context *, struct llvm_metadata **, size_t))                        \
    X(void, MetadataReplaceAllUsesWith,                                                \
      (struct llvm_metadata *, struct llvm_metadata *))                                \
    X(struct llvm_value *, MetadataAsValue,                                            \
      (struct llvm_context *, struct llvm_metadata *))                                 \
    X(struct llvm_metadata *, ValueAsMetadata, (struct llvm_value *))                  \
    X(unsigned, GetMDNodeNumOperands, (struct llvm_value *))                           \
    X(void, GetMDNodeOperands, (struct llvm_value *, struct llvm_value **))            \
    X(const char *, GetMDString, (struct llvm_value *, unsigned *))                    \
    X(struct llvm_value *, IsAMDString, (struct llvm_value *))                         \
    X(struct llvm_value *, IsAMDNode, (struct llvm_value *))                           \
    X(unsigned, GetNamedMetadataNumOperands, (struct llvm_module *, const char *))     \
    X(void, GetNamedMetadataOperands,                                                  \
      (struct llvm_module *, const char *, struct llvm_value **))                      \
    X(struct llvm_metadata *, InstructionGetDebugLoc, (struct llvm_value *))           \
    X(void, InstructionSetDebugLoc, (struct llvm_value *, struct llvm_metadata *))

#define WEIRI_LLVM_OPTIONAL(X)                                                         \
    X(void, GetVersion, (unsigned *, unsigned *, unsigned *))                          \
    X(int, GetNNeg, (struct llvm_value *))                                             \
    X(int, PointerTypeIsOpaque, (struct llvm_type *))                                  \
    X(void, SetIsNewDbgInfoFormat, (struct llvm_module *, int))                        \
    X(int, IsNewDbgInfoFormat, (struct llvm_module *))                                 \
    X(struct llvm_passes *, CreateFunctionPassManagerForModule,                        \
      (struct llvm_module *))                                                          \
    X(int, RunFunctionPassManager, (struct llvm_passes *, struct llvm_value *))        \
    X(void, DisposePassManager, (struct llvm_passes *))

struct weiri_llvm {
#define WEIRI_FIELD(result, name, parameters) result(*name) parameters;
    WEIRI_LLVM_REQUIRED(WEIRI_FIELD)
    WEIRI_LLVM_OPTIONAL(WEIRI_FIELD)
#undef WEIRI_FIELD
};

/** Written once by weiri_llvm_open(), then read-only. */
extern struct weiri_llvm llvm;

/**
 * weiri_llvm_open:
 * @libraries: the folder of libraries of a clang
 * @version: its major version
 * @why: (out) (transfer full): if it fails, a line that says why
 *
 * Opens the libLLVM of that clang: there, or where the loader finds it.
 */
bool weiri_llvm_open(const char *libraries, unsigned version, char **why);

/** Makes the code generator of @triple known. Returns: whether Weir knows its name */
bool weiri_llvm_start_target(const char *triple);

#endif
