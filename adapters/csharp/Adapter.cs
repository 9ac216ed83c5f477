// Answers the conformance kit: pure functions, and a remote body. Plain C# without packages.
// docs/conformance-protocol.md describes the lines. The folder csharp-native has another Body.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Members = System.Collections.Generic.Dictionary<string, object>;

class Unsupported : Exception {
    public Unsupported(string what) : base(what) { }
}

static class Adapter {
    static void Main() {
        Body body = null;
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine()) {
            var question = (Members)Json.Read(line);
            Members answer = question.Text("type") == "hello" ? Hello() : Answer(question, ref body);
            Console.Out.WriteLine(Json.Write(answer));
            Console.Out.Flush();
        }
    }

    static Members Hello() {
        var fields = new Members { { "fields", Body.Fields } };
        var drivers = new Members { { "math_calls", new Members() } };
        foreach (var name in new[] { "internal", "update_object", "use_time" }) drivers[name] = fields;
        return new Members { { "type", "hello" }, { "protocol", 1 }, { "name", Body.Name }, { "drivers", drivers } };
    }

    static Members Answer(Members question, ref Body body) {
        var answer = new Members { { "id", question["id"] } };
        try {
            switch (question.Text("type")) {
                case "trace":
                    var last = body as IDisposable;
                    if (last != null) last.Dispose();
                    body = null;
                    if (question.Text("driver") != "math_calls") body = new Body(question);
                    answer["out"] = new Members();
                    break;
                case "call": answer["out"] = Calls.Call(question.Text("op"), question.Object("args")); break;
                case "event": answer["out"] = body.Event(question); break;
                default: answer["out"] = body.Tick(question); break;
            }
        } catch (Unsupported why) {
            answer["unsupported"] = why.Message;
        } catch (Exception why) {
            answer["error"] = why.Message;
        }
        return answer;
    }
}

// Typed access to members.
static class Access {
    public static string Text(this Members of, string name) { return (string)of[name]; }
    public static double Number(this Members of, string name) { return (double)of[name]; }
    public static int Int(this Members of, string name) { return (int)(double)of[name]; }
    public static bool Flag(this Members of, string name) { return of[name] is bool ? (bool)of[name] : (double)of[name] != 0; }
    public static Members Object(this Members of, string name) { return (Members)of[name]; }

    public static double[] Numbers(this Members of, string name) {
        return ((List<object>)of[name]).Select(item => (double)item).ToArray();
    }

    public static Place Place(this Members of) {
        uint cell = uint.Parse(of.Text("cell").Substring(2), NumberStyles.HexNumber, CultureInfo.InvariantCulture);
        return new Place(cell, of.Numbers("pos"), of.Numbers("quat"));
    }
}
