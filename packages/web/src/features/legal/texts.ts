export const legalTexts = {
  legal: 'Legal',
  terms: 'Terms',
  privacy: 'Privacy',
  threatModel: 'Threat model',
  toLanding: 'Back to the start page',
  toApplication: 'Back to your conversations',
}
