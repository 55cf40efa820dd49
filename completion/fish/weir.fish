# SPDX-License-Identifier: MIT
#
# Completion of weir in fish. The command itself says what may follow; here are files.

function __weir_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    set -q typed[1]; or set typed ''
    set -l value (string replace -r -- '^--[a-z-]*=' '' $typed)
    set -q value[1]; or set value ''
    set -l before (string match -r -- '^--[a-z-]*=' $typed)
    # A list without elements would leave nothing of what it stands beside.
    set -q before[1]; or set before ''
    for line in ($words[1] --complete $words[2..-1] $typed 2>/dev/null)
        switch $line
            case :program
                set -l at (contains -i -- -- $words)
                complete -C (string join ' ' -- (string escape -- $words[(math $at + 1)..-1]) "$typed")
            case :folders
                printf '%s\n' $before(__fish_complete_directories $value)
            case ':files *'
                set -l suffix (string replace -- ':files *' '' $line)
                set -l found $value*$suffix $value*/
                printf '%s\n' $before$found
            case :files
                printf '%s\n' $before(__fish_complete_path $value)
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c weir -f -a '(__weir_complete)'
