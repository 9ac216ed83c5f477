# A server that sends where an actor is, twice per second and late. Both scenes use it.
extends Node

const RATE := 2.0
const LATENCY := 0.13

var now := 0.0
var next := 0.0
var under_way: Array[float] = []

@onready var body: Node = $World/Body


func _ready() -> void:
	body.connect("stalled", func() -> void: print("no updates any more"))
	body.connect("appeared", func() -> void: print("the first update"))


func _process(delta: float) -> void:
	now += delta
	if now >= next:
		next += 1.0 / RATE
		under_way.append(now)
	while not under_way.is_empty() and under_way[0] + LATENCY <= now:
		receive(under_way.pop_front())
	show_truth()


# Where the actor is at a time, in metres, and its heading.
func truth(at: float) -> Array:
	var angle := 0.5 * at
	return [Vector2(cos(angle), sin(2.0 * angle) * 0.5) * 9.0, Vector2(-sin(angle), cos(2.0 * angle)).angle()]


# This is all that a game does with a message.
func receive(sent: float) -> void:
	var state := truth(sent)
	if body is RemoteBody3D:
		var turn := Quaternion(Vector3.UP, -state[1] - PI / 2.0)
		body.receive(Vector3(state[0].x, 0.5, state[0].y), turn)
	else:
		body.receive(state[0] * 30.0, state[1])


func show_truth() -> void:
	var state := truth(now)
	var node: Node = $Truth
	if node is Node3D:
		node.position = Vector3(state[0].x, 0.5, state[0].y)
		node.rotation.y = -state[1] - PI / 2.0
	else:
		node.position = state[0] * 30.0
		node.rotation = state[1]
