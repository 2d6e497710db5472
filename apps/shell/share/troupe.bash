# SPDX-License-Identifier: MIT
# Completion of troupe's command line for bash.
_troupe() {
  local word=${COMP_WORDS[COMP_CWORD]}
  if [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W '-e --eval --json --version -h --help' -- "$word")
  elif ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(
      compgen -W 'repl run program demo bench node devices ops' -- "$word"
      compgen -f -X '!*.tr' -- "$word"
      compgen -d -- "$word"
    )
  elif [[ ${COMP_WORDS[1]} == ops ]]; then
    mapfile -t COMPREPLY < <(compgen -W '--markdown' -- "$word")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -o filenames -F _troupe troupe
