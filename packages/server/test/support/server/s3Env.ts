const names = ['ENDPOINT', 'BUCKET', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']

/** S3_* of a server whose files are in the bucket of TEST_S3_*, under `prefix`; empty without a bucket. */
export function s3Env(prefix: string): Record<string, string> {
  if (process.env['TEST_S3_ENDPOINT'] === undefined) return {}
  const given = names.map((name) => [`S3_${name}`, process.env[`TEST_S3_${name}`] ?? ''])
  return { ...(Object.fromEntries(given) as Record<string, string>), S3_PREFIX: `${prefix}/` }
}
