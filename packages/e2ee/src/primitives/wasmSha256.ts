import { createSHA256 } from 'hash-wasm'

/** A chunk of its own, loaded with the first message. */
export const createWasmSha256 = () => createSHA256()
