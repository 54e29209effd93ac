package dev.steadfast.bench;

/** What a batch is answered with. */
enum Expect {
  NEW("new"),
  REPEATED("repeated"),
  REFUSED("refused");

  final String words;

  Expect(String words) {
    this.words = words;
  }
}
