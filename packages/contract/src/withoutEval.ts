import { config } from 'zod'

// Import this before the first schema is used where a Content-Security-Policy forbids eval: zod then
// does not even try to build its parsers with it.
config({ jitless: true })
