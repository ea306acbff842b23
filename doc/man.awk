# SPDX-License-Identifier: Apache-2.0
#
# awk -f man.awk -v name=reckon -v section=1 -v about="…" -v version=1.0.0 OPTIONS.tsv PAGE.md -- makes a manual page of the plain
# Markdown of doc/: headings, paragraphs, lists, indented code, tables, **bold**, `code`, [text](link). A line
# <!-- options VERB --> becomes the options of that verb, <!-- modules VERB --> those that readers and outputs bring, <!-- verbs -->
# the verbs with theirs, as doc/options says them:
#
#   VERB <tab> GROUP HEADING TYPE DEFAULT BOUNDS UNIT ENVIRONMENT OWNER HELP     (tabs between)
#   VERB <tab> #usage <tab> TEXT, VERB <tab> #summary <tab> TEXT

# ---- text ----

function plain(s) {
    gsub(/\\/, "\\e", s)
    gsub(/-/, "\\-", s)
    return s
}

# One mark and what it encloses, wherever it stands.
function marked(s, mark, font,    out, at, end, rest) {
    out = ""
    while ((at = index(s, mark)) && (end = index(substr(s, at + length(mark)), mark))) {
        out = out substr(s, 1, at - 1) "\\f" font substr(s, at + length(mark), end - 1) "\\fR"
        s = substr(s, at + length(mark) + end - 1 + length(mark))
    }
    return out s
}

function inline(s) {
    s = plain(s)
    while (match(s, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(s, RSTART, RLENGTH)
        sub(/\]\(.*/, "", link)
        s = substr(s, 1, RSTART - 1) substr(link, 2) substr(s, RSTART + RLENGTH)
    }
    s = marked(marked(s, "**", "B"), "`", "B")
    while (match(s, /\*[A-Za-z][^*]*[A-Za-z.]\*/))
        s = substr(s, 1, RSTART - 1) "\\fI" substr(s, RSTART + 1, RLENGTH - 2) "\\fR" substr(s, RSTART + RLENGTH)
    return s
}

# A line must not begin like a request.
function put(s) {
    if (s ~ /^[.']/)
        s = "\\&" s
    print s
}

# ---- blocks ----

function leave(    n, i, row, cells, k) {
    if (block == "code")
        print ".EE\n.RE"
    if (block == "table") {
        print ".PP\n.ad l\n.TS\n" columns "."
        for (i = 1; i <= rows; i++)
            print table[i]
        print ".TE\n.ad b"
        rows = 0
    }
    block = ""
}

function enter(kind) {
    if (block == kind)
        return
    leave()
    block = kind
    if (!headed) # what comes before any heading
        print ".SH DESCRIPTION"
    headed = 1
    if (kind == "text")
        print ".PP"
    if (kind == "code")
        print ".PP\n.RS 4\n.EX"
}

# A table's row, its cells as blocks of text that may wrap; the first column as wide as it must be.
function add_row(line,    n, cells, i, out) {
    sub(/^\|/, "", line)
    sub(/\|[ ]*$/, "", line)
    n = split(line, cells, "|")
    columns = "l"
    out = ""
    for (i = 1; i <= n; i++) {
        gsub(/^ +| +$/, "", cells[i])
        out = out (i > 1 ? "\t" : "") "T{\n" inline(cells[i]) "\nT}"
        if (i > 1)
            columns = columns (i == n ? " lx" : " l")
    }
    table[++rows] = out
}

# ---- options ----

# "above 0", "1 to 4096".
function range(s,    low, high) {
    low = high = s
    sub(/\.\..*/, "", low)
    sub(/.*\.\./, "", high)
    if (sub(/^>/, "", low))
        return "above " low (high == "" ? "" : ", at most " high)
    return high == "" ? "at least " low : low " to " high
}

# "run iperf": the run reader iperf.
function owner(s,    kind) {
    kind = s
    sub(/ .*/, "", kind)
    return "of the " kind (kind ~ /run|context|layout/ ? " reader" : "") substr(s, length(kind) + 1)
}

function and_then(more, s) {
    return s == "" ? more : more (more == "" ? "" : "; ") s
}

function put_option(verb, i,    f, more) {
    split(option[verb, i], f, "\t")
    print ".TP"
    print "\\fB" plain(f[2]) "\\fR"
    more = f[4] == "" ? "" : "default " f[4]
    more = and_then(more, f[3] == "choice" ? "one of " f[5] : f[5] == "" ? "" : range(f[5]))
    more = and_then(more, f[6] == "" ? "" : "in " f[6])
    more = and_then(more, f[7])
    more = and_then(more, f[8] == "reckon" || f[8] == "verb " verb ? "" : owner(f[8]))
    put(plain(f[9] (more == "" ? "" : " (" more ")")))
}

# `but`: the verb whose options need not be said again, "" for none. `owners`: only those of owners that fit.
function put_options(verb, but, heading, owners,    i, group, f) {
    group = ""
    for (i = 1; i <= count[verb]; i++) {
        split(option[verb, i], f, "\t")
        if ((but != "" && (but, f[2], f[9]) in has) || f[8] !~ owners)
            continue
        if (heading && f[1] != group) {
            group = f[1]
            print ".SS " toupper(substr(group, 1, 1)) substr(group, 2)
        }
        put_option(verb, i)
    }
}

function put_verbs(    v) {
    for (v = 1; v <= verbs; v++) {
        if (verb_at[v] == "run")
            continue
        print ".SS reckon " plain(verb_at[v])
        put(plain(summary[verb_at[v]]) ".")
        print ".PP\n.RS 4\n.EX"
        printf "%s", usage[verb_at[v]]
        print ".EE\n.RE"
        put_options(verb_at[v], "run", 0, ".")
    }
}

# ---- input ----

FNR == NR {
    tab = index($0, "\t")
    verb = substr($0, 1, tab - 1)
    rest = substr($0, tab + 1)
    if (!(verb in count)) {
        count[verb] = 0
        verb_at[++verbs] = verb
    }
    if (rest ~ /^#rule\t/)
        next
    if (rest ~ /^#usage\t/)
        usage[verb] = usage[verb] plain(substr(rest, 8)) "\n"
    else if (rest ~ /^#summary\t/)
        summary[verb] = substr(rest, 10)
    else {
        option[verb, ++count[verb]] = rest
        split(rest, f, "\t")
        has[verb, f[2], f[9]] = 1
    }
    next
}

FNR == 1 {
    print "'\\\" t"
    print ".TH " toupper(plain(name)) " " section " \"\" \"reckon " version "\" \"reckon\""
    print ".SH NAME\n" plain(name) " \\- " plain(about)
    next
}

/^<!-- options / { leave(); put_options($3, "", 1, "."); next }
/^<!-- modules / { leave(); put_options($3, "", 1, "^(layout|run|context|output) "); next }
/^<!-- verbs / { leave(); put_verbs(); next }
/^<!--|^# / { next }
/^## / { leave(); headed = 1; print ".SH " toupper(inline(substr($0, 4))); next }
/^###+ / { leave(); sub(/^#+ /, ""); print ".SS " inline($0); next }
/^\|[-| ]*$/ { next }
/^\|/ { enter("table"); add_row($0); next }
/^    / && block != "list" { enter("code"); put(plain(substr($0, 5))); next }
/^$/ {
    if (block == "code") # a blank line within code belongs to it
        blank = 1
    else
        leave()
    next
}
/^ *- / { leave(); print ".IP \\(bu 2"; sub(/^ *- /, ""); put(inline($0)); block = "list"; next }
/^ *[0-9]+\. / { leave(); match($0, /[0-9]+\./); print ".IP " substr($0, RSTART, RLENGTH) " 4"; sub(/^ *[0-9]+\. /, ""); put(inline($0)); block = "list"; next }
{
    if (block != "list")
        enter("text")
    sub(/^ +/, "")
    put(inline($0))
}
END { leave() }
