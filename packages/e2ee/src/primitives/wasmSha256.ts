import { createSHA256 } from 'hash-wasm'

/** In a file of its own, so that it is loaded with the first message and not with the page. */
export const createWasmSha256 = () => createSHA256()
