// What the sketch in the README uses of the Wi-Fi library of Arduino boards, for a test on this machine.
#pragma once
#include <string>

struct String : std::string {
  String(const char *text) : std::string(text) {}
  String(const std::string &text) : std::string(text) {}
  String(int number) : std::string(std::to_string(number)) {}
};
inline String operator+(const String &a, const String &b) { return String(static_cast<const std::string &>(a) + static_cast<const std::string &>(b)); }
inline String operator+(const String &a, const char *b) { return a + String(b); }
inline String operator+(const char *a, const String &b) { return String(a) + b; }

enum { WL_CONNECTED = 3 };
struct { void begin(const char *, const char *) {} int status() { return WL_CONNECTED; } } WiFi;
inline void delay(unsigned long) {}
inline int analogRead(int) { return 2048; }
