import type { Connection, Party } from '@privity/contract/connections'
import type { AccountExport } from '@privity/contract/privacy'
import type { Saying } from '../transport/callError.ts'
import type { OpenedMessage, Trust } from '../types.ts'

/** How far it has come. */
export interface ExportProgress {
  conversations: number
  /** How many conversations there are. */
  of: number
  messages: number
}

export interface ExportFacts {
  madeAt: number
  username: string
  conversations: number
  messages: number
  files: number
}

/** What the readable files say. The data themselves are in JSON and need no language. */
export interface ExportTexts {
  /** A BCP 47 tag. */
  language: string
  readme(facts: ExportFacts): string
  conversationWith(name: string): string
  madeAt(time: string): string
  you: string
  empty: string
  file(name: string, bytes: number): string
  /** Why a message cannot be shown. */
  unreadable(reason: Saying): string
  time(at: number): string
}

export interface ExportOptions {
  texts: ExportTexts
  signal: AbortSignal
  onProgress?: (progress: ExportProgress) => void
}

export interface ExportFile {
  /** privity-export-USERNAME-2026-01-31.zip */
  name: string
  content: Blob
  facts: ExportFacts
  /** Whether the server sends an e-mail notice. */
  mailed: boolean
}

/** One connection with all that is alive in it. */
export interface Conversation {
  connection: Connection
  party: Party
  /** Undefined where the contact has no keys that could be compared. */
  trust: Trust | undefined
  /** Oldest first. */
  messages: OpenedMessage[]
  /** Typed on this device and not sent. */
  draft: string
}

export interface Gathered {
  account: AccountExport
  conversations: Conversation[]
}
