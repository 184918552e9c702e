// Import this before anything else where a Content-Security-Policy forbids eval: zod asks once for each
// schema, when that is made, whether it may build its parser with it. Not by zod's own config(): a module that
// loads zod is run after others that make schemas when a bundler puts them into one file, and would be too
// large for a first screen. That zod reads this object is tested.
const name = '__zod_globalConfig'
const surroundings = globalThis as { [name]?: { jitless?: boolean } }
surroundings[name] = Object.assign(surroundings[name] ?? {}, { jitless: true })
