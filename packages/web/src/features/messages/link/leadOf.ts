/** Facts of an address that its reader should know before opening it. */
interface Lead {
  /** The host, with its port: as written if it is international, else as the browser reads it. */
  website: string
  /** An international host in Punycode. */
  plain: string | undefined
  /** The address has a user name, which can look like the host. */
  hasUser: boolean
}

/** `text`: the address as it is written; `href`: as the browser reads it. */
export function leadOf(text: string, href: string): Lead {
  const { host, username, password } = new URL(href)
  const isInternational = /(^|\.)xn--/.test(host)
  const written = /^https:\/\/(?:[^/?#]*@)?([^/?#]*)/i.exec(text)?.[1] ?? host
  return {
    website: isInternational ? written : host,
    plain: isInternational ? host : undefined,
    hasUser: username + password !== '',
  }
}
