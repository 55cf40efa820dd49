# SPDX-License-Identifier: MIT
#
# Completion for shells. `weir --complete` answers; these files ask.

bash_completion_DATA = %D%/bash/weir %D%/bash/weir-cc
zsh_completion_DATA = %D%/zsh/_weir
fish_completion_DATA = %D%/fish/weir.fish
EXTRA_DIST += $(bash_completion_DATA) $(zsh_completion_DATA) $(fish_completion_DATA)
