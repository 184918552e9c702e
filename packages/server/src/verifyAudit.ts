/**
 * `npm run verify-audit -- FILE`: verifies an export of the audit log without the server, its database or a network.
 * Exit codes: 0 whole, 1 not as the server wrote it, 2 not checked (no such file, wrong use).
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type OrganizationVerdict, verifyOrganizationExport } from './auditVerifier/organizationExportVerifier.ts'
import { isPlatformExport, type PlatformVerdict, verifyPlatformExport } from './auditVerifier/platformExportVerifier.ts'

const usage = `Usage: npm run verify-audit -- FILE [--key KEY] [--json]

Checks an export without the server: that everything in it is as it was written, in its place, and nothing is missing.
FILE is an organization's audit log (.jsonl) or the founder's export (.json or .csv, as it was downloaded).

  --key KEY  the server's public key or its fingerprint (SHA256:…), from somebody you trust. Without it the file is
             checked against the key that it names itself, and you are told to compare that.
  --json     the result as one line of JSON
  --help     this text

Exit code 0: whole. 1: something is wrong; the first place is named. 2: not checked.
`

const print = (text: string) => void process.stdout.write(`${text}\n`)

const isoOf = (time: number | undefined) => new Date(time ?? 0).toISOString()

function describe(verdict: OrganizationVerdict, pinned: boolean): void {
  const { problem, entries, own, heads, organizationId, madeAt, fingerprint } = verdict
  if (problem !== undefined) {
    print(`NOT WHOLE: ${problem.sentence}`)
    print(`Read before that: ${entries} entries and ${heads} signed heads, all right.`)
    return
  }
  print(`Whole: entries 1 to ${entries}, ${own} of them given in full, ${heads} signed heads.`)
  print(`Exported ${isoOf(madeAt)} for ${organizationId === null ? 'the operator' : `organization ${organizationId}`}.`)
  print('What was written after that moment is not in it.')
  describeKey(fingerprint, pinned)
}

function describePlatform(verdict: PlatformVerdict, pinned: boolean): void {
  const { problem, rows, entries, madeAt, startDate, endDate, eventType, fingerprint } = verdict
  if (problem !== undefined) {
    print(`NOT WHOLE: ${problem.sentence}`)
    print(`Read before that: ${rows} rows.`)
    return
  }
  print(`Whole: ${rows} rows, ${entries} of them entries of the audit log.`)
  print(
    `Exported ${isoOf(madeAt)} for the founder: ${eventType ?? 'everything'}, ${isoOf(startDate)} to ${isoOf(endDate)}.`,
  )
  print('What was written after that moment, or beyond the newest 10,000, is not in it.')
  describeKey(fingerprint, pinned)
}

function describeKey(fingerprint: string | undefined, pinned: boolean): void {
  if (pinned) print(`Signed with the key you gave, ${fingerprint ?? ''}.`)
  else {
    print(`Key: ${fingerprint ?? ''}`)
    print(
      'Compare this fingerprint with the one the operator of the server gives you: a forger can sign with their own key.',
    )
  }
}

async function readBeginning(path: string): Promise<string> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
  return buffer.toString('utf8', 0, bytesRead)
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { key: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help === true) {
    print(usage)
    return 0
  }
  const [file] = positionals
  if (file === undefined || positionals.length > 1) {
    process.stderr.write(usage)
    return 2
  }
  const path = resolve(process.env['INIT_CWD'] ?? '.', file)
  const chunks = () => createReadStream(path, { highWaterMark: 1024 * 1024 })
  const pinned = values.key !== undefined
  const show = <V extends { problem: unknown }>(
    verdict: V,
    describeVerdict: (verdict: V, pinned: boolean) => void,
  ): number => {
    const ok = verdict.problem === undefined
    if (values.json === true) print(JSON.stringify({ ok, ...verdict, pinned }))
    else describeVerdict(verdict, pinned)
    return ok ? 0 : 1
  }
  if (isPlatformExport(await readBeginning(path)))
    return show(await verifyPlatformExport(chunks(), values.key), describePlatform)
  return show(await verifyOrganizationExport(chunks(), values.key), describe)
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 2
  },
)
