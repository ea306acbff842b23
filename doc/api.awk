# SPDX-License-Identifier: Apache-2.0
#
# awk -f api.awk include/reckon/*.h -- every function of the plugin interface with what its header says, as Markdown: the last
# part of plugins.md, put there by `make api`.

function squeeze(s) {
    gsub(/[ \t]+/, " ", s)
    sub(/^ /, "", s)
    sub(/ $/, "", s)
    return s
}

# Text of a comment without its marks.
function words(s) {
    gsub(/^\/\*+|\*+\/$/, "", s)
    gsub(/\n[ \t]*\* ?/, " ", s)
    return squeeze(s)
}

function sentence(s) {
    sub(/[.:]$/, "", s)
    return (s ~ /^[a-z][a-z]/ ? toupper(substr(s, 1, 1)) : substr(s, 1, 1)) substr(s, 2) "."
}

# Functions that follow each other: one point with what was said before them, or, where each has a remark, a point each.
function tell(    i, all) {
    if (remarked) {
        if (said != "")
            print "- *" sentence(said) "*"
        for (i = 1; i <= n; i++)
            print "- `" proto[i] "`" (remark[i] == "" ? "" : ": " sentence(remark[i]))
    } else if (n) {
        for (i = 1; i <= n; i++)
            all = all (i > 1 ? ", " : "") "`" proto[i] "`"
        print "- " all (said == "" ? "" : ": " sentence(said))
    }
    n = remarked = 0
    said = ""
}

function take(text, comment) {
    sub(/ RECKON_PRINTF\([^)]*\)/, "", text)
    sub(/^ *static inline /, "", text)
    sub(/[;{].*/, "", text)
    proto[++n] = squeeze(text)
    remark[n] = comment
    remarked = remarked || comment != ""
}

FNR == 1 {
    tell()
    name = FILENAME
    sub(/.*include\//, "", name)
    print "\n### <" name ">\n"
    depth = waiting = 0
    text = ""
}

# A comment of its own, perhaps over several lines.
/^\/\*/ {
    comment = $0
    while (comment !~ /\*\//) {
        if ((getline line) <= 0)
            break
        comment = comment "\n" line
    }
    tell()
    if (comment ~ /SPDX/)
        comment = ""
    else if (comment ~ /^\/\* ---- /) {
        gsub(/^\/\* ---- | ---- \*\/$/, "", comment)
        print "\n" toupper(substr(comment, 1, 1)) substr(comment, 2) ":\n"
        comment = ""
    } else
        said = words(comment)
    next
}

# The inside of structs, enums and bodies; macros.
/^#/ { while ($0 ~ /\\$/) if ((getline) <= 0) break; next }
/^[a-z].*\{$/ && !/\(/ && !/^extern "C"/ { depth = 1; said = ""; next }
depth { if (/^}/) depth = 0; next }
/^typedef|^$/ { tell(); said = ""; next }
/^[a-z]/ && /reckon_/ { text = ""; waiting = 1 }
waiting {
    text = text " " $0
    if (text ~ /[;{]/) {
        waiting = 0
        comment = ""
        if (match(text, /\/\*.*\*\//)) {
            comment = words(substr(text, RSTART, RLENGTH))
            text = substr(text, 1, RSTART - 1)
        }
        if (text ~ /\(/)
            take(text, comment)
        if ($0 ~ /\{$/)
            depth = 1
    }
}
END { tell() }
