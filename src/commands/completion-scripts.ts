/** A command of the program, as completion sees it. */
export interface Word {
  readonly name: string;
  readonly summary: string;
  /** Whether its first argument is the name of a run. */
  readonly takesRun: boolean;
  readonly options: readonly { readonly name: string; readonly description: string }[];
}

/** Names come from the data folder each time; everything else stands in the script. */
const RUNS = 'deeprepro __complete runs 2>/dev/null';

/** For bash 3.2 and newer. Where nothing of ours fits, it completes files. */
export function bashCompletion(words: readonly Word[]): string {
  return `# bash completion for deeprepro
_deeprepro() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" command="" place=0 word index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case "$word" in
      -*) ;;
      *) if [ -z "$command" ]; then command="$word"; else place=$((place + 1)); fi ;;
    esac
  done
  local options="" runs=""
  case "$command" in
    "") COMPREPLY=($(compgen -W "${words.map(({ name }) => name).join(' ')} --help --version" -- "$cur")); return ;;
${words.map((word) => `    ${word.name}) options="${optionsOf(word)}"${word.takesRun ? ' runs=1' : ''} ;;`).join('\n')}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")) ;;
    *) if [ -n "$runs" ] && [ "$place" -eq 0 ]; then COMPREPLY=($(compgen -W "$(${RUNS})" -- "$cur")); fi ;;
  esac
}
complete -o default -F _deeprepro deeprepro
`;
}

export function zshCompletion(words: readonly Word[]): string {
  return `#compdef deeprepro
# zsh completion for deeprepro
_deeprepro() {
  local command="" word
  local -i place=0 index runs=0
  local -a options commands
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    case "$word" in
      -*) ;;
      *) if [[ -z "$command" ]]; then command="$word"; else place=$((place + 1)); fi ;;
    esac
  done
  if [[ -z "$command" ]]; then
    commands=(
${words.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$command" in
${words.map((word) => `    ${word.name}) options=(${optionsOf(word)})${word.takesRun ? ' runs=1' : ''} ;;`).join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- $options
  elif ((runs && place == 0)); then
    compadd -- \${(f)"$(${RUNS})"}
  else
    _files
  fi
}
if [[ "$funcstack[1]" == _deeprepro ]]; then _deeprepro "$@"; else compdef _deeprepro deeprepro; fi
`;
}

export function fishCompletion(words: readonly Word[]): string {
  const lines = words.flatMap((word) => [
    `complete -c deeprepro -n __fish_use_subcommand -f -a ${word.name} -d ${quoted(word.summary)}`,
    ...(word.takesRun
      ? [`complete -c deeprepro -n '__fish_seen_subcommand_from ${word.name}' -f -a '(${RUNS})'`]
      : []),
    ...word.options.map(
      ({ name, description }) =>
        `complete -c deeprepro -n '__fish_seen_subcommand_from ${word.name}' -l ${name.slice(2)} -d ${quoted(description)}`,
    ),
  ]);
  return `# fish completion for deeprepro\n${lines.join('\n')}\n`;
}

function optionsOf({ options }: Word): string {
  return ['--help', ...options.map(({ name }) => name)].join(' ');
}

/** As one word of a shell. In fish, a backslash inside quotes is one only before a quote or another. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '/').replaceAll("'", '’')}'`;
}
