/* SPDX-License-Identifier: MIT
 *
 * report.c: `weir report`: a record of `weir trace` as a page, as a picture, or as a
 * file for a viewer of traces. */
#include "config.h"

#include "cli/cli.h"

#include "show/timeline-draw.h"

#include <string.h>

static const char SUMMARY[]
    = "Draws what weir trace has recorded. Without an option it writes a\n"
      "page.";

struct texts {
    char *html, *svg, *chrome, *launch, *group, *from;
};

/* "tree.trace" of "folder/tree.trace.json", with @ending. */
static char *named_after(const char *path, const char *ending)
{
    size_t length = strlen(path) - (g_str_has_suffix(path, ".json") ? 5 : 0);
    g_autofree char *stem = g_strndup(path, length);
    return g_strconcat(stem, ending, NULL);
}

/* Which launch, group and time a picture begins with. Returns: false after a
 * complaint */
static bool read_view(const struct texts *texts, const struct weiri_traced_file *file,
                      const struct weiri_traced_launch **launch, uint64_t *group,
                      uint64_t *from)
{
    uint64_t number = 1;
    *group = 0;
    *from = 1;
    if (!weiri_cli_number("--launch", "launches", texts->launch, 1, file->launches->len,
                          &number)) {
        return false;
    }
    *launch = weiri_traced_launch_at(file, (guint)number - 1);
    return weiri_cli_number("--group", "groups", texts->group, 0,
                            MAX((*launch)->timeline->n_groups, 1) - 1, group)
        && weiri_cli_number("--from", "times", texts->from, 1, G_MAXUINT32, from);
}

/* Returns: false after a complaint */
static bool write_files(const struct texts *texts, const struct weiri_traced_file *file,
                        const char *text)
{
    const struct weiri_traced_launch *launch;
    uint64_t group, from;
    if (!read_view(texts, file, &launch, &group, &from)) {
        return false;
    }
    bool written = true;
    if (texts->svg != NULL) {
        g_autofree char *svg = weiri_timeline_to_svg(launch, group, (uint32_t)from);
        written = weiri_cli_write_file("--svg", texts->svg, svg);
    }
    if (written && texts->html != NULL) {
        g_autofree char *html = weiri_timeline_to_html(file, text);
        written = weiri_cli_write_file("--html", texts->html, html);
    }
    if (written && texts->chrome != NULL) {
        g_autofree char *chrome = weiri_timeline_to_chrome(file);
        written = weiri_cli_write_file("--chrome", texts->chrome, chrome);
    }
    return written;
}

static int report(struct texts *texts, const char *path)
{
    g_autofree char *text = NULL;
    size_t bytes;
    GError *error = NULL;
    if (texts->html == NULL && texts->svg == NULL && texts->chrome == NULL) {
        texts->html = named_after(path, ".html");
    }
    struct weiri_traced_file *file = g_file_get_contents(path, &text, &bytes, &error)
        ? weiri_timeline_read(text, bytes, path, &error)
        : NULL;
    if (file == NULL) {
        return weiri_cli_take_error(error);
    }
    bool written = write_files(texts, file, text);
    weiri_traced_file_free(file);
    return written ? WEIRI_CLI_CLEAN : WEIRI_CLI_USAGE;
}

int weiri_cli_report(int argc, char **argv)
{
    struct texts texts = { 0 };
    const GOptionEntry entries[] = {
        { "html", 0, 0, G_OPTION_ARG_FILENAME, &texts.html,
          "Write a page for a browser", "FILE" },
        { "svg", 0, 0, G_OPTION_ARG_FILENAME, &texts.svg, "Write a picture for print",
          "FILE" },
        { "chrome", 0, 0, G_OPTION_ARG_FILENAME, &texts.chrome,
          "Write Chrome's format, for Perfetto", "FILE" },
        { "launch", 0, 0, G_OPTION_ARG_FILENAME, &texts.launch,
          "The launch of a picture (default: 1)", "N" },
        { "group", 'g', 0, G_OPTION_ARG_FILENAME, &texts.group,
          "The first group of a picture (default: 0)", "G" },
        { "from", 0, 0, G_OPTION_ARG_FILENAME, &texts.from,
          "The first time of a picture (default: 1)", "T" },
        { 0 },
    };
    int status;
    if (weiri_cli_parse(entries, "FILE", SUMMARY, NULL, &argc, &argv, &status)) {
        status = argc == 2 ? report(&texts, argv[1])
                           : weiri_cli_complain("name one file that weir trace has "
                                                "written");
    }
    g_free(texts.html);
    g_free(texts.svg);
    g_free(texts.chrome);
    g_free(texts.launch);
    g_free(texts.group);
    g_free(texts.from);
    return status;
}
