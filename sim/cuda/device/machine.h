/* SPDX-License-Identifier: MIT
 *
 * machine.h: declarations of the machine that weir-machinery-shared.h has not yet. */
void weiri_item_copy_begin(void *to, const void *from, uint32_t bytes,
                           uint32_t source_bytes, const struct weir_site *site);
void weiri_item_copy_commit(const struct weir_site *site);
void weiri_item_copy_wait(uint32_t n_left, const struct weir_site *site);
void weiri_item_copy_arrive(uint64_t *bar, uint32_t noinc,
                            const struct weir_site *site);
void weiri_bulk_copy_begin(void *to, const void *from, uint32_t bytes, uint64_t *bar,
                           const struct weir_site *site);
void weiri_grid_sync(const struct weir_site *site);
