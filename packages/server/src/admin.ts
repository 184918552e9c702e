/**
 * `npm run admin -- …`: the operator's command line, on the data folder that the environment names, as for the server.
 * Exit codes: 0 done, 1 refused or failed (nothing was changed), 2 wrong use.
 */
import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from './core/config/config.ts'
import { describeError, errorText } from './core/log.ts'
import { runBesideServers } from './operator/runningServer.ts'
import {
  type BackupCommand,
  backupCommands,
  type Command,
  commands,
  type Options,
  type CommandOutcome,
} from './operator/commands.ts'
import { openOperator, Refusal, WrongUse } from './operator/operator.ts'

// Files written by a command are readable by their owner only.
process.umask(0o077)

const markOf = (alone: Command['needsStoppedServer']): string => {
  if (alone === 'on SQLite') return ' [server stopped, on SQLite]'
  return alone ? ' [server stopped]' : ''
}

type AnyCommand = Command | BackupCommand

const all: AnyCommand[] = [...commands, ...backupCommands]

const lines = all.map(
  ({ usage, summary, needsStoppedServer }) => `  ${usage}\n      ${summary}${markOf(needsStoppedServer)}`,
)

const help = `Usage: npm run admin -- COMMAND [--json]

${lines.join('\n')}

  --json   the result, or the error, as one line of JSON
  --help   this text; after a command, the help of that command

It works on the folder DATA_DIR with the server's own configuration. Commands marked [server stopped] refuse to run
beside a server; all others may. With DATABASE_URL they work on that database, whatever machine its servers run on.
Changes are recorded in the audit log as done by the operator.
Exit code 0: done. 1: refused or failed, nothing was changed. 2: wrong use.
`

const options = {
  organization: { type: 'string' },
  role: { type: 'string' },
  days: { type: 'string' },
  founder: { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

const optionHelp: Record<keyof Options, string> = {
  organization: 'the organization, by its name or id; default: the oldest',
  role: 'user, org_admin or super_admin; default: user',
  days: 'for how many days the link is valid, 1 to 30; default: 7',
  founder: 'the founder instead of USERNAME',
}

const optionsOf = ({ usage }: AnyCommand) => [...usage.matchAll(/--(\w+)/g)].map(([, name]) => name as keyof Options)

function helpOf(command: AnyCommand): string {
  const described = [
    ...optionsOf(command).map((name) => [name, optionHelp[name]] as const),
    ['json', 'the result as one line of JSON'],
  ]
  return `Usage: npm run admin -- ${command.usage}

  ${command.summary}${markOf(command.needsStoppedServer)}

${described.map(([name = '', text = '']) => `  --${name.padEnd(14)}${text}`).join('\n')}
`
}

/** The name and the arguments of a command: its usage up to the first option. */
const requiredOf = ({ usage }: AnyCommand): string[] => usage.replace(/ \[.*/, '').split(' ')

/** The name alone, such as `backup check`: the words in lower case. */
const nameWordsOf = (command: AnyCommand): string[] => requiredOf(command).filter((word) => /^[a-z]+$/.test(word))

const nameOf = (command: AnyCommand): string => nameWordsOf(command).join(' ')

/** Finds the command with the longest matching name: `backup check` before `backup`. */
function find(given: readonly string[]): AnyCommand {
  const command = all
    .filter((each) => nameOf(each) === given.slice(0, nameWordsOf(each).length).join(' '))
    .toSorted((one, other) => nameWordsOf(other).length - nameWordsOf(one).length)[0]
  if (command === undefined) throw new WrongUse(`There is no command "${given.join(' ')}".`)
  return command
}

/** Returns the arguments after the command's name; throws WrongUse if the command does not take them. */
function argumentsOf(command: AnyCommand, given: readonly string[], chosen: Options): string[] {
  const nameLength = nameWordsOf(command).length
  const rest = given.slice(nameLength)
  const known = optionsOf(command)
  for (const name of Object.keys(chosen) as (keyof Options)[])
    if (!known.includes(name)) throw new WrongUse(`${nameOf(command)} has no option --${name}.`)
  const expected = requiredOf(command).length - nameLength - (chosen.founder === true ? 1 : 0)
  if (rest.length !== expected)
    throw new WrongUse(`"${nameOf(command)}" takes ${expected} arguments here, and ${rest.length} were given.`)
  return rest
}

const isBackupCommand = (command: AnyCommand): command is BackupCommand =>
  (backupCommands as unknown[]).includes(command)

async function run(given: readonly string[], chosen: Options): Promise<CommandOutcome> {
  const config = loadConfig(process.env)
  const command = find(given)
  const rest = argumentsOf(command, given, chosen)
  if (isBackupCommand(command)) return command.run(config, rest)
  const shared = config.postgres !== undefined
  const operator = await openOperator(
    config,
    command.needsStoppedServer === true || (command.needsStoppedServer === 'on SQLite' && !shared),
  )
  const runIt = () => command.run(operator, rest, chosen)
  try {
    return await (shared && command.needsStoppedServer === 'on SQLite' ? runBesideServers(operator, runIt) : runIt())
  } finally {
    await operator.close()
  }
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Returns the help of the command that was meant, if one can be recognized; else the general help. */
function usageFor(): string {
  try {
    return helpOf(find(process.argv.slice(2)))
  } catch {
    return help
  }
}

function fail(error: unknown, json: boolean): number {
  const isUse =
    error instanceof WrongUse ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  const known =
    isUse || error instanceof Refusal || error instanceof ConfigError || (error instanceof Error && 'code' in error)
  const message = error instanceof Error ? describeError(error).message : String(error)
  if (json) print(JSON.stringify({ ok: false, error: message }))
  // The reason comes last: after a long text a reader looks there.
  else console.error(`${isUse ? `${usageFor()}\n` : ''}${known ? message : errorText(error)}`)
  return isUse ? 2 : 1
}

async function main(): Promise<number> {
  let json = process.argv.includes('--json')
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const { json: asJson = false, help: wantsHelp = false, ...chosen } = values
    json = asJson
    if (positionals.length === 0) {
      print(help)
      return wantsHelp ? 0 : 2
    }
    if (wantsHelp) {
      print(helpOf(find(positionals)))
      return 0
    }
    const { text, data } = await run(positionals, chosen)
    print(json ? JSON.stringify({ ok: true, ...data }) : text)
    return 0
  } catch (error) {
    return fail(error, json)
  }
}

process.exitCode = await main()
