import { readFileSync } from 'node:fs'

/** Variables that NAME_FILE may replace: containers are given secrets as files. */
export const secretNames = [
  'SERVER_SECRET',
  'NEW_SERVER_SECRET',
  'FOUNDER_PASSWORD',
  'DATABASE_URL',
  'VALKEY_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'METRICS_TOKEN',
  'SMTP_URL',
  'SENDGRID_API_KEY',
  'TWILIO_AUTH_TOKEN',
] as const

const largest = 16 * 1024

/** Reads the files that NAME_FILE names, by the variable that each replaces; `problem` collects the errors. */
export function readSecretFiles(
  env: Record<string, string | undefined>,
  problem: (text: string) => void,
): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of secretNames) {
    const path = env[`${name}_FILE`]?.trim()
    if (path === undefined || path === '') continue
    if ((env[name] ?? '').trim() !== '') {
      problem(`${name} and ${name}_FILE are both set: set one of them.`)
      continue
    }
    try {
      const text = readFileSync(path, 'utf8').trim()
      if (text === '' || text.length > largest) problem(`${name}_FILE is "${path}": the file is empty or too long.`)
      else found[name] = text
    } catch {
      problem(`${name}_FILE is "${path}": there is no readable file.`)
    }
  }
  return found
}
