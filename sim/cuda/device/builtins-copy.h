/* SPDX-License-Identifier: MIT
 *
 * builtins-copy.h: copies that go on while the thread does: PTX's cp.async and
 * cp.async.bulk. A part of builtins.c. */

OWN void weiri_cu_copy_begin(CALLER, void *to, const void *from, uint32_t bytes,
                             uint32_t source_bytes)
{
    weiri_item_copy_begin(to, from, bytes, source_bytes, site);
}

OWN void weiri_cu_copy_commit(CALLER)
{
    weiri_item_copy_commit(site);
}

/* @n_left: groups that may still be under way; UINT32_MAX waits for all copies, those
 * without a group, too */
OWN void weiri_cu_copy_wait(CALLER, uint32_t n_left)
{
    weiri_item_copy_wait(n_left, site);
}

OWN void weiri_cu_copy_arrive(CALLER, void *bar, uint32_t noinc)
{
    weiri_item_copy_arrive(bar, noinc, site);
}

OWN void weiri_cu_bulk_copy_begin(CALLER, void *to, const void *from, uint32_t bytes,
                                  void *bar)
{
    weiri_bulk_copy_begin(to, from, bytes, bar, site);
}
