// What the sketches of the documentation use of the HTTP library of Arduino boards; instead of sending, it prints the request.
#pragma once
#include <iostream>
#include "WiFi.h"

struct HTTPClient {
  void begin(const String &url) { std::cout << "url " << url << "\n"; }
  void addHeader(const String &name, const String &value) { std::cout << "header " << name << " " << value << "\n"; }
  int POST(const String &body) { std::cout << "body " << body << "\n"; return 201; }
  int GET() { std::cout << "get\n"; return 200; }
  void end() {}
};
void setup();
void loop();
int main() { setup(); loop(); }
