import { type FormEvent, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../ui/Field.tsx'
import { Input } from '../../ui/Input.tsx'
import { asDomain, type DomainProblem, problemOf } from './domains.ts'
import { policyChange } from './policyChange.ts'
import { organizationTexts } from './texts.ts'

/** The domains of which an address may sign up. */
export function AllowedDomains({ client, domains }: { client: Client; domains: readonly string[] }) {
  const texts = organizationTexts.policy.domains
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<DomainProblem>()
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending } = useMutation(policyChange(client))

  function add(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    const domain = asDomain(typed)
    const found = problemOf(domain, domains, limits.emailDomains)
    setProblem(found)
    if (found) return input.current?.focus()
    mutate({ allowedEmailDomains: [...domains, domain] }, { onSuccess: () => setTyped('') })
  }

  function remove(domain: string) {
    setProblem(undefined)
    mutate({ allowedEmailDomains: domains.filter((each) => each !== domain) })
    // its button goes with it
    input.current?.focus()
  }

  return (
    <div className="adm-domains">
      <h3>{texts.label}</h3>
      <p className="hint">{texts.hint}</p>
      {domains.length === 0 ? (
        <p className="adm-any">{texts.any}</p>
      ) : (
        <ul aria-label={texts.label}>
          {domains.map((domain) => (
            <li key={domain}>
              <span>{domain}</span>
              <button
                type="button"
                aria-label={texts.remove(domain)}
                title={texts.remove(domain)}
                onClick={() => remove(domain)}
              >
                <X className="ic ic-sm" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form className="adm-line" onSubmit={add} noValidate>
        <Field
          label={texts.add}
          error={problem && (problem === 'full' ? texts.full(limits.emailDomains) : texts[problem])}
        >
          {(control) => (
            <Input
              {...control}
              ref={input}
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              placeholder={texts.placeholder}
              value={typed}
              onChange={(event) => {
                setTyped(event.target.value)
                setProblem(undefined)
              }}
            />
          )}
        </Field>
        <Button type="submit" busy={isPending} disabled={typed.trim() === ''}>
          {texts.addButton}
        </Button>
      </form>
    </div>
  )
}
