// A Unity component that moves remote entities. Not run here: this project's machines have no Unity.
//
// Steps to try it, with Unity 2021.3 or newer:
//   1. cargo build --release -p evenstride_ffi, and copy the library to Assets/Plugins/x86_64.
//   2. Copy bindings/csharp/Evenstride/*.cs to Assets/Evenstride, and allow unsafe code in an assembly
//      definition there (Allow 'unsafe' Code).
//   3. Put this component on an empty object, set a prefab, and call Receive from the network code.
//   4. Press play. Each entity gets an instance of the prefab that glides between updates.
using System.Collections.Generic;
using Evenstride;
using UnityEngine;

/// <summary>Shows entities of a server, smoothly.</summary>
public sealed class EvenstrideBodies : MonoBehaviour
{
    /// <summary>Shape of each entity.</summary>
    public GameObject Prefab;

    /// <summary>Seconds for which a silent entity keeps moving.</summary>
    public double MaxCoastSeconds = 3;

    private readonly Dictionary<ulong, Transform> shapes = new Dictionary<ulong, Transform>();
    private readonly PlainEvent[] events = new PlainEvent[64];
    private PlainDrawn[] drawn = new PlainDrawn[64];
    private PlainWorld world;

    private void Awake()
    {
        world = new PlainWorld(Axes.YUpZForward, 1, Time.timeAsDouble, MaxCoastSeconds);
    }

    private void OnDestroy()
    {
        world.Dispose();
    }

    /// <summary>Takes an update of the server, on the main thread.</summary>
    /// <param name="entity">Entity of the game.</param>
    /// <param name="position">Position in the world.</param>
    /// <param name="rotation">Rotation in the world.</param>
    /// <param name="number">Number that grows with each update of the entity.</param>
    /// <param name="velocity">Velocity in metres per second, or null if the server does not send it.</param>
    public void Receive(ulong entity, Vector3 position, Quaternion rotation, ulong number, Vector3? velocity)
    {
        var update = new PlainUpdate
        {
            Entity = entity,
            Order = number,
            OrderKind = (uint)UpdateOrder.Sequence,
            HasVelocity = velocity.HasValue ? 1u : 0u,
            Pose = new PlainPose
            {
                X = position.x,
                Y = position.y,
                Z = position.z,
                QX = rotation.x,
                QY = rotation.y,
                QZ = rotation.z,
                QW = rotation.w,
            },
        };
        unsafe
        {
            var given = velocity.GetValueOrDefault();
            update.Velocity[0] = given.x;
            update.Velocity[1] = given.y;
            update.Velocity[2] = given.z;
        }
        world.Update(Time.timeAsDouble, update);
    }

    /// <summary>Removes an entity that left.</summary>
    public void Leave(ulong entity)
    {
        world.Remove(entity);
        Transform shape;
        if (shapes.TryGetValue(entity, out shape))
        {
            Destroy(shape.gameObject);
            shapes.Remove(entity);
        }
    }

    private void LateUpdate()
    {
        var now = Time.timeAsDouble;
        world.Advance(now);
        while (world.EventsInto(events) == events.Length)
        {
        }
        var count = world.DrawnInto(now, drawn);
        if (count > drawn.Length)
        {
            drawn = new PlainDrawn[2 * count];
            count = world.DrawnInto(now, drawn);
        }
        for (var index = 0; index < count; index++)
        {
            var pose = drawn[index].Pose;
            var position = new Vector3((float)pose.X, (float)pose.Y, (float)pose.Z);
            ShapeOf(drawn[index].Entity).SetPositionAndRotation(
                position, new Quaternion(pose.QX, pose.QY, pose.QZ, pose.QW));
        }
    }

    private Transform ShapeOf(ulong entity)
    {
        Transform shape;
        if (!shapes.TryGetValue(entity, out shape))
        {
            shape = Instantiate(Prefab, transform).transform;
            shapes.Add(entity, shape);
        }
        return shape;
    }
}
