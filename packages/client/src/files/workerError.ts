import { E2eeError, type E2eeErrorCode } from '@privity/e2ee'
import { CallError, type CallErrorCode } from '../transport/callError.ts'

/** An error in a form that crosses from a Worker: structured clone keeps neither classes nor codes. */
export type WorkerError =
  | { kind: 'call'; code: CallErrorCode; status: number; sentence: string; retryAfter: number | undefined }
  | { kind: 'e2ee'; code: E2eeErrorCode; message: string }
  | { kind: 'other'; message: string }

export function toWorkerError(error: unknown): WorkerError {
  if (error instanceof CallError) {
    const { code, status, sentence, retryAfter } = error
    return { kind: 'call', code, status, sentence, retryAfter }
  }
  if (error instanceof E2eeError) return { kind: 'e2ee', code: error.code, message: error.message }
  return { kind: 'other', message: error instanceof Error ? error.message : String(error) }
}

export function fromWorkerError(failure: WorkerError): Error {
  if (failure.kind === 'call') return new CallError(failure.code, failure)
  if (failure.kind === 'e2ee') return new E2eeError(failure.code, failure.message)
  return new Error(failure.message)
}
