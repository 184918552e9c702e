import { type FormEvent, useRef, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { policyChange, asDomain, type DomainProblem, domainProblemOf } from './policyChange.ts'
import { organizationTexts } from '../texts.ts'
import { InputField } from '../../../ui/field/Field.tsx'
import '../../../ui/field/formLine.css'

/** Email domains that may sign up. */
export function AllowedDomains({ client, domains }: { client: Client; domains: readonly string[] }) {
  const texts = organizationTexts.policy.domains
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<DomainProblem>()
  const input = useRef<HTMLInputElement>(null)
  const { mutate, isPending: isChanging } = useMutation(policyChange(client))
  // Counts members outside the new domains before it applies. If the count fails, adds the domain without asking.
  const look = useMutation({
    mutationFn: (domain: string) => client.organization.policyReach(domain),
    onSuccess: ({ outsideDomains }, domain) =>
      outsideDomains > 0 ? setQuestion({ domain, outsideDomains }) : allow(domain),
    onError: (_error, domain) => allow(domain),
  })
  const [question, setQuestion] = useState<{ domain: string; outsideDomains: number } | 'last'>()
  const isPending = isChanging || look.isPending

  function add(event: FormEvent) {
    event.preventDefault()
    if (isPending) return
    const domain = asDomain(typed)
    const found = domainProblemOf(domain, domains, limits.emailDomains)
    setProblem(found)
    if (found) return input.current?.focus()
    look.mutate(domain)
  }

  const allow = (domain: string) =>
    mutate({ allowedEmailDomains: [...domains, domain] }, { onSuccess: () => setTyped('') })

  function remove(domain: string) {
    setProblem(undefined)
    // Without allowed domains, everyone can sign up.
    if (domains.length === 1) return setQuestion('last')
    mutate({ allowedEmailDomains: domains.filter((each) => each !== domain) })
    // The focused button is removed with its entry.
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
      {question && (
        <Confirm
          open
          onOpenChange={(open) => open || setQuestion(undefined)}
          onClosed={(event) => {
            event.preventDefault()
            input.current?.focus()
          }}
          title={question === 'last' ? texts.openTitle : texts.outsideTitle(question.domain)}
          description={question === 'last' ? texts.openHint : texts.outsideHint(question.outsideDomains)}
          confirmLabel={question === 'last' ? texts.openConfirm : texts.outsideConfirm}
          tone={question === 'last' ? 'danger' : 'primary'}
          onConfirm={() => {
            setQuestion(undefined)
            if (question === 'last') mutate({ allowedEmailDomains: [] })
            else allow(question.domain)
          }}
        />
      )}
      <form className="form-line" onSubmit={add} noValidate>
        <InputField
          label={texts.add}
          error={problem && (problem === 'full' ? texts.full(limits.emailDomains) : texts[problem])}
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
        <Button type="submit" busy={isPending} disabled={typed.trim() === ''}>
          {texts.addButton}
        </Button>
      </form>
    </div>
  )
}
