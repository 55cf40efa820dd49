/* SPDX-License-Identifier: MIT
 *
 * machine.h: declarations of the machine that weir-machinery-shared.h has not yet. */
void weiri_named_sync(uint32_t id, uint32_t count, const struct weir_site *site);
void weiri_named_arrive(uint32_t id, uint32_t count, const struct weir_site *site);
uint32_t weiri_named_reduce(uint32_t id, uint32_t count, uint32_t kind,
                            uint32_t predicate, const struct weir_site *site);
void weiri_mbarrier_init(uint64_t *bar, uint32_t count, const struct weir_site *site);
void weiri_mbarrier_invalidate(uint64_t *bar, const struct weir_site *site);
uint64_t weiri_mbarrier_arrive(uint64_t *bar, uint32_t count, uint32_t tx,
                               uint32_t flags, const struct weir_site *site);
void weiri_mbarrier_expect(uint64_t *bar, uint32_t tx, const struct weir_site *site);
void weiri_mbarrier_complete(uint64_t *bar, uint32_t tx, const struct weir_site *site);
uint32_t weiri_mbarrier_test(uint64_t *bar, uint64_t token, uint32_t flags,
                             const struct weir_site *site);
uint32_t weiri_mbarrier_pending(uint64_t token);
void weiri_item_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint32_t source_bytes, const struct weir_site *site);
void weiri_item_copy_commit(const struct weir_site *site);
void weiri_item_copy_wait(uint32_t n_left, const struct weir_site *site);
void weiri_item_copy_arrive(uint64_t *bar, uint32_t noinc,
                            const struct weir_site *site);
void weiri_bulk_copy_begin(void *to, const void *from, uint32_t bytes, uint64_t *bar,
                           const struct weir_site *site);
void weiri_grid_sync(const struct weir_site *site);
