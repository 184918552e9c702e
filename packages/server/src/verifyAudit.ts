/**
 * `npm run verify-audit -- FILE`: checks an export of the audit log without the server, its database or a network.
 * Exit codes: 0 whole, 1 not what the server wrote, 2 not checked (no such file, wrong use).
 */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Verdict, verifyExport } from './auditVerifier/verifyExport.ts'

const usage = `Usage: npm run verify-audit -- FILE [--key KEY] [--json]

Checks an export of the audit log (a .jsonl file) without the server: that every entry is as it was written, in its
place, and none is missing.

  --key KEY  the server's public key or its fingerprint (SHA256:…), from somebody you trust. Without it the file is
             checked against the key that it names itself, and you are told to compare that.
  --json     the result as one line of JSON
  --help     this text

Exit code 0: whole. 1: something is wrong; the first place is named. 2: not checked.
`

const say = (text: string) => void process.stdout.write(`${text}\n`)

function describe(verdict: Verdict, pinned: boolean): void {
  const { problem, entries, own, heads, organizationId, madeAt, fingerprint } = verdict
  if (problem !== undefined) {
    say(`NOT WHOLE: ${problem.sentence}`)
    say(`Read before that: ${entries} entries and ${heads} signed heads, all right.`)
    return
  }
  const when = new Date(madeAt ?? 0).toISOString()
  say(`Whole: entries 1 to ${entries}, ${own} of them given in full, ${heads} signed heads.`)
  say(`Exported ${when} for ${organizationId === null ? 'the operator' : `organization ${organizationId}`}.`)
  say('What was written after that moment is not in it.')
  if (pinned) say(`Signed with the key you gave, ${fingerprint ?? ''}.`)
  else {
    say(`Key: ${fingerprint ?? ''}`)
    say(
      'Compare this fingerprint with the one the operator of the server gives you: a forger can sign with his own key.',
    )
  }
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help === true) {
    say(usage)
    return 0
  }
  const [file] = positionals
  if (file === undefined || positionals.length > 1) {
    process.stderr.write(usage)
    return 2
  }
  const verdict = await verifyExport(
    createReadStream(resolve(process.env['INIT_CWD'] ?? '.', file), { highWaterMark: 1024 * 1024 }),
    values.key,
  )
  if (values.json === true)
    say(JSON.stringify({ ok: verdict.problem === undefined, ...verdict, pinned: values.key !== undefined }))
  else describe(verdict, values.key !== undefined)
  return verdict.problem === undefined ? 0 : 1
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
