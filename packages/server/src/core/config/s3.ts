import type { createReader } from './environment.ts'

/** The bucket that holds the encrypted files. */
export interface S3Config {
  /** An origin. */
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Prefix of every object name: empty, or ending in a slash. */
  prefix: string
  /** Whether the bucket is part of the path; otherwise it is part of the host name. */
  pathStyle: boolean
}

type Read = ReturnType<typeof createReader>

const names = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const

/** Reads the five variables that belong together, S3_PREFIX and S3_PATH_STYLE. No problem quotes a key. */
export function readS3(read: Read): S3Config | undefined {
  const values = names.map(read.text)
  const prefix = read.text('S3_PREFIX') ?? ''
  const pathStyle = read.flag('S3_PATH_STYLE') ?? true
  if (values.every((value) => value === undefined)) return undefined
  const before = read.problems.length
  const missing = names.filter((_name, at) => values[at] === undefined)
  if (missing.length > 0) read.problem(`${names.join(', ')} belong together: set all five or none.`)
  const [endpoint, bucket, region, accessKeyId, secretAccessKey] = values
  const origin = endpoint === undefined ? undefined : read.origin('S3_ENDPOINT')
  if (bucket !== undefined && !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    read.problem(`S3_BUCKET is "${bucket}": use 3 to 63 of a-z 0-9 . -`)
  if (region !== undefined && !/^[\w-]{1,64}$/.test(region))
    read.problem(`S3_REGION is "${region}": use the name of a region, such as us-east-1.`)
  for (const [name, value] of [
    ['S3_ACCESS_KEY_ID', accessKeyId],
    ['S3_SECRET_ACCESS_KEY', secretAccessKey],
  ] as const)
    if (value !== undefined && !/^[\x21-\x7e]{1,256}$/.test(value))
      read.problem(`${name} is not valid: use the whole key, without spaces.`)
  if (!/^((?!\.\.?\/)[\w.-]{1,64}\/){0,8}$/.test(prefix))
    read.problem(`S3_PREFIX is "${prefix}": use names of a-z A-Z 0-9 _ . - that each end in a slash, such as privity/.`)
  if (read.problems.length > before) return undefined
  return {
    endpoint: origin as string,
    bucket: bucket as string,
    region: region as string,
    accessKeyId: accessKeyId as string,
    secretAccessKey: secretAccessKey as string,
    prefix,
    pathStyle,
  }
}
