//! Scenes of Godot, as far as mistakes in them can be seen without the engine.

/// The nodes of a scene file.
#[derive(Debug)]
pub(super) struct Scene(Vec<Node>);

#[derive(Debug)]
struct Node {
    class: String,
    /// Path from the root, which is `.`.
    path: String,
    /// Lines such as `position = Vector2(1, 2)`.
    properties: Vec<(String, String)>,
}

/// Properties that move a node.
const MOVES: [&str; 7] =
    ["position", "rotation", "rotation_degrees", "quaternion", "scale", "skew", "transform"];

/// Classes that look or shine along their −z, and are above what they look at.
const LOOKS_DOWN: [&str; 2] = ["DirectionalLight3D", "Camera3D"];

impl Scene {
    /// Reads the nodes of a file. A file without any, such as a project, has none.
    pub(super) fn parse(text: &str) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut is_in_node = false;
        for line in text.lines() {
            if line.starts_with('[') {
                is_in_node = line.starts_with("[node ");
                if is_in_node {
                    nodes.push(Node::parse(line));
                }
            } else if let (true, Some(node), Some((name, value))) =
                (is_in_node, nodes.last_mut(), line.split_once(" = "))
            {
                node.properties.push((name.to_owned(), value.to_owned()));
            }
        }
        Self(nodes)
    }

    /// Returns what would be drawn wrongly.
    pub(super) fn mistakes(&self) -> Vec<String> {
        let worlds = self.0.iter().filter(|node| node.class == "RemoteWorld");
        let moved = worlds.flat_map(|world| {
            let above = self.0.iter().filter(|node| world.is_below(node));
            above.filter(|node| node.moves()).map(|node| {
                format!("{} is moved, and the bodies below {} do not follow it", node.path, world.path)
            })
        });
        let upward = self.0.iter().filter(|node| LOOKS_DOWN.contains(&node.class.as_str()));
        let upward = upward.filter(|node| node.looks_up()).map(|node| format!("{} looks upward", node.path));
        moved.chain(upward).collect()
    }
}

impl Node {
    fn parse(header: &str) -> Self {
        let part = |name: &str| {
            let text = header.split_once(&format!(" {name}=\""))?.1;
            Some(text.split('"').next().unwrap_or_default().to_owned())
        };
        let name = part("name").unwrap_or_default();
        let path = match part("parent").as_deref() {
            None => ".".to_owned(),
            Some(".") => name,
            Some(parent) => format!("{parent}/{name}"),
        };
        Self { class: part("type").unwrap_or_default(), path, properties: Vec::new() }
    }

    fn is_below(&self, other: &Self) -> bool {
        self.path != other.path && (other.path == "." || self.path.starts_with(&format!("{}/", other.path)))
    }

    fn moves(&self) -> bool {
        self.properties.iter().any(|(name, _)| MOVES.contains(&name.as_str()))
    }

    /// Returns whether the −z of a node's transform, which the file writes row by row, points upward.
    fn looks_up(&self) -> bool {
        let transform = self.properties.iter().find(|(name, _)| name == "transform");
        let numbers = transform.and_then(|(_, value)| value.strip_prefix("Transform3D("));
        let numbers = numbers.and_then(|numbers| numbers.strip_suffix(')')).unwrap_or_default();
        let numbers: Vec<f64> = numbers.split(", ").filter_map(|number| number.parse().ok()).collect();
        // The second row is y, and the third column is z.
        numbers.get(5).is_some_and(|y_of_z| *y_of_z < 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A scene with one line of a root, of a light and of a body's holder.
    fn scene(root: &str, light: &str, holder: &str) -> String {
        format!(
            "[gd_scene format=3]\n\n[sub_resource id=\"box\"]\nposition = 1\n\n\
             [node name=\"Main\" type=\"Node2D\"]\n{root}\n\n\
             [node name=\"Light\" type=\"DirectionalLight3D\" parent=\".\"]\n{light}\n\n\
             [node name=\"World\" type=\"RemoteWorld\" parent=\".\"]\n\n\
             [node name=\"Holder\" type=\"Node2D\" parent=\"World\"]\n{holder}\n"
        )
    }

    #[test]
    fn a_moved_node_above_a_world_is_a_mistake() {
        let mistakes = |text: &str| Scene::parse(text).mistakes();
        assert_eq!(mistakes(&scene("", "", "position = Vector2(1, 2)")), Vec::<String>::new());
        let moved = mistakes(&scene("position = Vector2(576, 324)", "", ""));
        assert_eq!(moved, [". is moved, and the bodies below World do not follow it"]);
    }

    #[test]
    fn a_light_that_shines_upward_is_a_mistake() {
        let light = |numbers: &str| {
            Scene::parse(&scene("", &format!("transform = Transform3D({numbers}, 0, 10, 0)"), "")).mistakes()
        };
        assert_eq!(light("0.8, 0, 0.6, 0.5, 0.55, -0.67, -0.33, 0.83, 0.44"), ["Light looks upward"]);
        assert_eq!(light("0.8, 0.5, -0.33, 0, 0.55, 0.83, 0.6, -0.67, 0.44"), Vec::<String>::new());
    }
}
