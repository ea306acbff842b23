# SPDX-License-Identifier: Apache-2.0
#
# awk -f completion.awk -v shell=bash|zsh OPTIONS.tsv -- completions of all verbs and options, from what doc/options says of the
# modules (man.awk says how its lines look).

function quote(s) {
    gsub(/'/, "'\\''", s)
    return "'" s "'"
}

{
    n = split($0, f, "\t")
    verb = f[1]
    if (!(verb in seen)) {
        seen[verb] = 1
        name[++verbs] = verb
    }
    if (f[2] == "#summary")
        summary[verb] = f[3]
    else if (f[2] == "#rule")
        rules[verb] = rules[verb] (rules[verb] == "" ? "" : " ") f[3]
    else if (f[2] !~ /^#/) {
        split(f[3], words, " ")
        option = words[1]
        options[verb] = options[verb] (options[verb] == "" ? "" : " ") option
        count[verb]++
        spec[verb, count[verb]] = option "\t" f[4] "\t" f[6] "\t" f[10] "\t" words[2]
    }
}

# What follows an option: "files", "rules", the words of a choice in braces, "any" text, or nothing.
function follows(type, choices, value) {
    if (type == "flag")
        return ""
    if (type ~ /path/ || value ~ /^(DIR|FILE)$/)
        return "files"
    if (type == "choice")
        return "{" choices "}"
    return value == "RULE" ? "rules" : "any"
}

END {
    if (shell == "bash")
        bash()
    else
        zsh()
}

function bash(    v, i, f, what) {
    print "# bash completion of reckon; made of its modules, do not edit"
    print "_reckon() {"
    print "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=run i"
    print "    COMPREPLY=()"
    printf "    case ${COMP_WORDS[1]} in\n    "
    for (v = 1; v <= verbs; v++)
        if (name[v] != "run")
            printf "%s%s", (printed++ ? "|" : ""), name[v]
    print ") [ \"$COMP_CWORD\" -lt 2 ] || verb=${COMP_WORDS[1]} ;;\n    esac"
    print "    case \"$verb $prev\" in"
    for (v = 1; v <= verbs; v++)
        for (i = 1; i <= count[name[v]]; i++) {
            split(spec[name[v], i], f, "\t")
            what = follows(f[2], f[3], f[5])
            if (what == "files")
                print "    \"" name[v] " " f[1] "\") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;"
            else if (what == "rules")
                print "    \"" name[v] " " f[1] "\") COMPREPLY=($(compgen -W '" rules[name[v]] "' -- \"$cur\")); return ;;"
            else if (what ~ /^\{/) {
                gsub(/[{}]/, "", what)
                gsub(/,/, " ", what)
                print "    \"" name[v] " " f[1] "\") COMPREPLY=($(compgen -W '" what "' -- \"$cur\")); return ;;"
            } else if (what == "any")
                print "    \"" name[v] " " f[1] "\") return ;;"
        }
    print "    esac"
    print "    case $cur in\n    -*) case $verb in"
    for (v = 1; v <= verbs; v++)
        print "        " name[v] ") COMPREPLY=($(compgen -W '" options[name[v]] "' -- \"$cur\")) ;;"
    print "        esac ;;"
    print "    *)  compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\"))"
    printf "        [ \"$COMP_CWORD\" -gt 1 ] || COMPREPLY+=($(compgen -W '"
    for (v = 1; v <= verbs; v++)
        if (name[v] != "run")
            printf "%s%s", (listed++ ? " " : ""), name[v]
    print "' -- \"$cur\")) ;;"
    print "    esac\n}\ncomplete -F _reckon reckon"
}

function zsh(    v, i, f, what, help) {
    print "#compdef reckon\n# zsh completion of reckon; made of its modules, do not edit"
    print "_reckon() {\n    local verb=run\n    case ${words[2]} in"
    for (v = 1; v <= verbs; v++)
        if (name[v] != "run")
            print "    " name[v] ") (( CURRENT > 2 )) && verb=" name[v] " ;;"
    print "    esac\n    if (( CURRENT == 2 )) && [[ ${words[2]} != -* ]]; then\n        local -a verbs=("
    for (v = 1; v <= verbs; v++)
        if (name[v] != "run") {
            help = summary[name[v]]
            gsub(/:/, "\\:", help)
            print "            " quote(name[v] ":" help)
        }
    print "        )\n        _describe verb verbs\n    fi\n    case $verb in"
    for (v = 1; v <= verbs; v++) {
        print "    " name[v] ") _arguments \\"
        for (i = 1; i <= count[name[v]]; i++) {
            split(spec[name[v], i], f, "\t")
            what = follows(f[2], f[3], f[5])
            help = f[4]
            gsub(/\[/, "\\[", help)
            gsub(/\]/, "\\]", help)
            gsub(/:/, "\\:", help)
            if (what == "files")
                what = ":path:_files"
            else if (what == "rules")
                what = ":rule:(" rules[name[v]] ")"
            else if (what ~ /^\{/) {
                gsub(/[{}]/, "", what)
                gsub(/,/, " ", what)
                what = ":value:(" what ")"
            } else if (what == "any")
                what = ":value:"
            print "        " quote((f[2] ~ /^(list|paths)$/ ? "*" : "") f[1] "[" help "]" what) " \\"
        }
        print "        '*:path:_files' ;;"
    }
    print "    esac\n}\n_reckon \"$@\""
}
