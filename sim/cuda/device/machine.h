/* SPDX-License-Identifier: MIT
 *
 * machine.h: declarations of the machine that weir-machinery-shared.h has not yet. */
void weiri_grid_sync(const struct weir_site *site);
