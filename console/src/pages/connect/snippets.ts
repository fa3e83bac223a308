/** The values that a program needs to upload to a sensor. */
export interface Access {
  /** The address of the platform, without a slash at its end. */
  api: string;
  sensor: string;
  key: string;
}

export type Language = 'sh' | 'cpp' | 'python' | 'js';

export const LANGUAGES: readonly (readonly [Language, string])[] = [
  ['sh', 'curl'],
  ['cpp', 'ESP32'],
  ['python', 'Python'],
  ['js', 'Node.js'],
];

/** Programs that upload values, ready to be copied. They equal the ones in the README; a test compares them. */
export const SNIPPETS: Readonly<Record<Language, (access: Access) => string>> = {
  sh: ({ api, sensor, key }) =>
    `curl -sS "${api}/sensors/${sensor}/data" -H "Authorization: Bearer ${key}" -H 'Content-Type: application/json' -d '{"value":21.5}'
`,

  cpp: ({ api, sensor, key }) => `#include <HTTPClient.h>
#include <WiFi.h>

const String API = "${api}", SENSOR = "${sensor}", KEY = "${key}";

void setup() {
  WiFi.begin("network", "password of the network");
  while (WiFi.status() != WL_CONNECTED) delay(500);
}

void loop() {
  HTTPClient http;
  http.begin(API + "/sensors/" + SENSOR + "/data");
  http.addHeader("Content-Type", "application/json");
  http.addHeader("Authorization", "Bearer " + KEY);
  int status = http.POST("{\\"value\\":" + String(analogRead(34)) + "}");  // 201: stored
  http.end();
  delay(status == 201 ? 60000 : 5000);
}
`,

  python: ({ api, sensor, key }) => `import json
from time import time
from urllib.request import Request, urlopen

api, sensor, key = "${api}", "${sensor}", "${key}"
headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
data = [{"value": 21.5, "date": time() - 60}, {"value": 21.7, "date": time()}]
with urlopen(Request(f"{api}/sensors/{sensor}/data", json.dumps({"data": data}).encode(), headers), timeout=10) as response:
    print(response.status, response.read().decode())
`,

  js: ({ api, sensor, key }) => `const [API, SENSOR, KEY] = ['${api}', '${sensor}', '${key}'];
const response = await fetch(\`\${API}/sensors/\${SENSOR}/data\`, {
  method: 'POST',
  headers: { Authorization: \`Bearer \${KEY}\`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ value: 21.5 }),
});
console.log(response.status, await response.json());
`,
};
