/**
 * `npm run admin -- …`: the operator's command line, on the data folder that the environment names like for the server.
 * Exit codes: 0 done, 1 refused or failed (nothing was changed), 2 wrong use.
 */
import { parseArgs } from 'node:util'
import { ConfigError, loadConfig } from './core/config.ts'
import { describeError, errorText } from './core/log.ts'
import { besideServers } from './operator/beside.ts'
import { type Command, commands, type Options, type Outcome, restoreUsage, runRestore } from './operator/commands.ts'
import { openOperator } from './operator/operator.ts'
import { Refusal, WrongUse } from './operator/refusal.ts'

// Whatever is written is the operator's own.
process.umask(0o077)

const markOf = (alone: Command['alone']): string => {
  if (alone === 'on SQLite') return ' [server stopped, on SQLite]'
  return alone ? ' [server stopped]' : ''
}

const lines = commands.map(({ usage, summary, alone }) => `  ${usage}\n      ${summary}${markOf(alone)}`)

const help = `Usage: npm run admin -- COMMAND [--json]

${lines.join('\n')}
  ${restoreUsage}
      a backup into an empty data folder, verified; put server-secret there first [server stopped]

  --json   the result, or the error, as one line of JSON
  --help   this text

It works on the folder DATA_DIR with the server's own configuration. Commands marked [server stopped] refuse to run
beside a server; all others may. With DATABASE_URL they work on that database, whatever machine its servers run on. What changes anything is in the audit log, as done by the operator.
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

const nameOf = ({ usage, words }: Command) => usage.split(' ').slice(0, words).join(' ')

function find(given: readonly string[]): Command {
  const command = commands.find((each) => nameOf(each) === given.slice(0, each.words).join(' '))
  if (command === undefined) throw new WrongUse(`There is no command "${given.join(' ')}".`)
  return command
}

/** What follows the command's own name, once it is what the command takes. */
function argumentsOf(command: Command, given: readonly string[], chosen: Options): string[] {
  const rest = given.slice(command.words)
  for (const name of Object.keys(chosen) as (keyof Options)[])
    if (command.options?.includes(name) !== true) throw new WrongUse(`${nameOf(command)} knows no --${name}.`)
  const takes = chosen.founder === true ? command.takes - 1 : command.takes
  if (rest.length !== takes) throw new WrongUse(`Usage: npm run admin -- ${command.usage}`)
  return rest
}

async function run(given: readonly string[], chosen: Options): Promise<Outcome> {
  const config = loadConfig(process.env)
  if (given[0] === 'restore') {
    if (given.length !== 2 || Object.keys(chosen).length > 0)
      throw new WrongUse(`Usage: npm run admin -- ${restoreUsage}`)
    return runRestore(config, given.slice(1))
  }
  const command = find(given)
  const rest = argumentsOf(command, given, chosen)
  const shared = config.postgres !== undefined
  const operator = await openOperator(config, command.alone === true || (command.alone === 'on SQLite' && !shared))
  const runIt = () => command.run(operator, rest, chosen)
  try {
    return await (shared && command.alone === 'on SQLite' ? besideServers(operator, runIt) : runIt())
  } finally {
    await operator.close()
  }
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

function fail(error: unknown, json: boolean): number {
  const isUse =
    error instanceof WrongUse ||
    (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'))
  const known =
    isUse || error instanceof Refusal || error instanceof ConfigError || (error instanceof Error && 'code' in error)
  const message = error instanceof Error ? describeError(error).message : String(error)
  if (json) say(JSON.stringify({ ok: false, error: message }))
  else console.error(known ? message : errorText(error))
  if (isUse && !json) console.error(`\n${help}`)
  return isUse ? 2 : 1
}

async function main(): Promise<number> {
  let json = process.argv.includes('--json')
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    const { json: asJson = false, help: wantsHelp = false, ...chosen } = values
    json = asJson
    if (wantsHelp || positionals.length === 0) {
      say(help)
      return wantsHelp ? 0 : 2
    }
    const { text, data } = await run(positionals, chosen)
    say(json ? JSON.stringify({ ok: true, ...data }) : text)
    return 0
  } catch (error) {
    return fail(error, json)
  }
}

process.exitCode = await main()
