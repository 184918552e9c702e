// Import this first where a Content-Security-Policy forbids eval: zod checks when each schema is created whether it may
// compile the parser. zod's own config() would come too late, because a bundler may run the module that calls it after
// modules that create schemas, and it would load zod on the first screen. A test proves that zod reads this object.
const name = '__zod_globalConfig'
const surroundings = globalThis as { [name]?: { jitless?: boolean } }
surroundings[name] = Object.assign(surroundings[name] ?? {}, { jitless: true })
