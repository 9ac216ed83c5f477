// Reads and writes JSON, because plain C# on Mono has no reader of its own. Objects are dictionaries, lists are
// List<object>, and numbers are doubles.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

static class Json {
    public static object Read(string text) {
        int at = 0;
        return Value(text, ref at);
    }

    static object Value(string s, ref int at) {
        Skip(s, ref at);
        switch (s[at]) {
            case '{': {
                var members = new Dictionary<string, object>();
                while (More(s, ref at, '}')) {
                    Skip(s, ref at);
                    var name = Text(s, ref at);
                    Skip(s, ref at);
                    at++;
                    members[name] = Value(s, ref at);
                }
                return members;
            }
            case '[': {
                var items = new List<object>();
                while (More(s, ref at, ']')) items.Add(Value(s, ref at));
                return items;
            }
            case '"': return Text(s, ref at);
            case 't': at += 4; return true;
            case 'f': at += 5; return false;
            case 'n': at += 4; return null;
            default: {
                int start = at;
                while (at < s.Length && "+-.eE0123456789".IndexOf(s[at]) >= 0) at++;
                return double.Parse(s.Substring(start, at - start), CultureInfo.InvariantCulture);
            }
        }
    }

    // Passes an opening bracket or a comma, and tells whether another item follows.
    static bool More(string s, ref int at, char end) {
        Skip(s, ref at);
        bool isFirst = s[at] == '{' || s[at] == '[', isEnd = s[at] == end;
        at++;
        if (!isFirst) return !isEnd;
        Skip(s, ref at);
        if (s[at] != end) return true;
        at++;
        return false;
    }

    static void Skip(string s, ref int at) {
        while (char.IsWhiteSpace(s[at])) at++;
    }

    static string Text(string s, ref int at) {
        var text = new StringBuilder();
        for (at++; s[at] != '"'; at++) {
            if (s[at] != '\\') { text.Append(s[at]); continue; }
            at++;
            if (s[at] == 'u') {
                text.Append((char)Convert.ToInt32(s.Substring(at + 1, 4), 16));
                at += 4;
            } else {
                text.Append(s[at] == 'n' ? '\n' : s[at] == 't' ? '\t' : s[at]);
            }
        }
        at++;
        return text.ToString();
    }

    public static string Write(object value) {
        var text = value as string;
        if (text != null) return '"' + text.Replace("\\", "\\\\").Replace("\"", "\\\"") + '"';
        var members = value as Dictionary<string, object>;
        if (members != null) {
            var parts = new List<string>();
            foreach (var member in members) parts.Add(Write(member.Key) + ':' + Write(member.Value));
            return '{' + string.Join(",", parts) + '}';
        }
        var items = value as System.Collections.IEnumerable;
        if (items != null) {
            var parts = new List<string>();
            foreach (var item in items) parts.Add(Write(item));
            return '[' + string.Join(",", parts) + ']';
        }
        if (value is bool) return (bool)value ? "true" : "false";
        return value == null ? "null" : Convert.ToDouble(value).ToString("R", CultureInfo.InvariantCulture);
    }
}
