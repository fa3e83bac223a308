import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Reads PEM, or returns the problem with the file. */
export function readCertificates(file: string): { certificates: readonly string[] } | { problem: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    return { problem: `${file} cannot be read (${code})` };
  }
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return { problem: `${file} holds a private key` };
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return { problem: `${file} holds no certificate in PEM` };
  const wrong = certificates.findIndex((certificate) => !isCertificate(certificate));
  return wrong < 0 ? { certificates } : { problem: `certificate ${wrong + 1} in ${file} cannot be read` };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== '';
  } catch {
    return false;
  }
}
