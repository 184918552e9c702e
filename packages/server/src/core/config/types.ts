export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** The mail server and the sender's address. */
export interface MailConfig {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise STARTTLS is required of every host but this machine. */
  secure: boolean
  auth: { user: string; pass: string } | undefined
  from: string
}

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

/** Services that deliver alerts, beside the mail server. */
export interface AlertConfig {
  sendgrid: { key: string; from: string } | undefined
  twilio: { sid: string; token: string; from: string } | undefined
}

/** How the server is monitored and stopped. */
export interface OperationsConfig {
  /** Token that a scraper must send to /metrics; without it that route does not exist. */
  metricsToken: string | undefined
  /** Whether every request is logged. */
  accessLog: boolean
  drain: {
    /** How long (ms) the server goes on after a stop signal, reporting it at /api/health for load balancers. */
    delay: number
    /** How long (ms) work under way may take after that. */
    time: number
  }
}

export interface Config {
  port: number
  host: string
  /** Whether only this machine can reach the server: no other address, and no proxy in front. */
  loopback: boolean
  dataDir: string
  /** The PostgreSQL database and the number of connections that read from it; undefined: SQLite. */
  postgres: { url: string; readers: number } | undefined
  /** Valkey, which passes notices between processes. The address may hold a password and appears in no message. */
  valkeyUrl: string | undefined
  /** The origin that people open, if it differs from the Host header. */
  publicUrl: string | undefined
  /** Whether browsers use HTTPS: Secure and __Host- cookies, HSTS. */
  secure: boolean
  trustProxy: false | number | string[]
  tls: { cert: string; key: string } | undefined
  serverSecret: string | undefined
  /** The secret that `secret rotate` installs; a server does not use it. */
  newServerSecret: string | undefined
  founder: { username: string; password: string | undefined }
  organization: { name: string; type: string }
  demo: boolean
  /** Lifetime of a message in milliseconds. */
  retention: number
  /** Bytes of ciphertext that the files of one account may take up together. */
  accountFileBytes: number
  /** The mail server; undefined: nothing is mailed. */
  mail: MailConfig | undefined
  /** Whether a server on a restored database sends mail. */
  restoredMails: boolean
  /** The address to which support requests are mailed, and which members see. */
  supportEmail: string | undefined
  /** Hosts of push services that the server sends to; none: it sends no push. `*.example.org` is all below it. */
  pushHosts: string[]
  /** The bucket for encrypted files; undefined: the data folder. */
  s3: S3Config | undefined
  /** Services that deliver the founder's alerts. */
  alerts: AlertConfig
  operations: OperationsConfig
  logLevel: LogLevel
  /** Folder of the built web client. */
  webDir: string
  /** Warnings to print at the start. */
  warnings: string[]
}
