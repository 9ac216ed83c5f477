// The C functions, as bindings/c/include/evenstride.h declares them.
using System;
using System.Runtime.InteropServices;

namespace Evenstride
{
    internal static unsafe class Native
    {
        /// <summary>Name of the library. The system adds its prefix and ending.</summary>
        private const string Library = "evenstride_ffi";

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_config_new(byte* name, out IntPtr config);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_config_free(IntPtr config);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_config_set(ConfigHandle config, byte* name, byte* value);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_config_value(
            ConfigHandle config,
            byte* name,
            byte* value,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_sizes(uint* sizes, UIntPtr capacity, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_library_built_in(out IntPtr library);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_library_open(byte* path, out IntPtr library, Loaded* loaded);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_library_from_records(
            uint* ids,
            UIntPtr count,
            RecordCallback record,
            IntPtr user,
            out IntPtr library,
            Loaded* loaded);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_library_free(IntPtr library);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_new(
            ConfigHandle config,
            uint axes,
            double units_per_metre,
            double max_coast_seconds,
            double seconds,
            out IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_free(IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_clone(PlainWorldHandle world, out IntPtr copy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_restore(byte* bytes, UIntPtr length, out IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_set_surroundings(
            PlainWorldHandle world,
            NativeSurroundings* surroundings);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_set_flat_ground(PlainWorldHandle world, float z);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_advance(PlainWorldHandle world, double seconds, Advanced* advanced);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_update(
            PlainWorldHandle world,
            double seconds,
            PlainUpdate* updates,
            UIntPtr count,
            out UIntPtr handled);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_throw(
            PlainWorldHandle world,
            double seconds,
            ulong entity,
            float* velocity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_set_limits(
            PlainWorldHandle world,
            ulong entity,
            float topSpeed,
            float turnRateDegrees,
            float snapDistance);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_set_sender_clock(
            PlainWorldHandle world,
            uint clock,
            double maxLeadSeconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_remove(PlainWorldHandle world, ulong entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_set_viewpoint(PlainWorldHandle world, double* position);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_trace(PlainWorldHandle world, ulong entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_drawn_into(
            PlainWorldHandle world,
            double seconds,
            PlainDrawn* entities,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_changed_into(
            PlainWorldHandle world,
            double seconds,
            PlainDrawn* entities,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_events_into(
            PlainWorldHandle world,
            PlainEvent* events,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_explain(
            PlainWorldHandle world,
            ulong entity,
            UIntPtr lines,
            byte* text,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_save(
            PlainWorldHandle world,
            byte* bytes,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_len(PlainWorldHandle world, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_plain_state_hash(PlainWorldHandle world, ulong* hash);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_last_error(byte* text, UIntPtr capacity, out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr ev_status_name(int status);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern IntPtr ev_version();

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_new(ConfigHandle config, double seconds, out IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_free(IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_clone(WorldHandle world, out IntPtr copy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_save(
            WorldHandle world,
            byte* bytes,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_save_drawing(
            WorldHandle world,
            byte* bytes,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_restore(
            byte* bytes,
            UIntPtr length,
            LibraryHandle library,
            out IntPtr world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_restore_drawing(WorldHandle world, byte* bytes, UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_library(WorldHandle world, LibraryHandle library);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_advance(WorldHandle world, double seconds, Advanced* advanced);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_open_field(WorldHandle world);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_flat_ground(WorldHandle world, float z);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_heightfield(
            WorldHandle world,
            uint landblock,
            float spacing,
            uint columns,
            float* heights,
            UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_surroundings(
            WorldHandle world,
            NativeSurroundings* surroundings);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_viewpoint(WorldHandle world, Place* viewpoint);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_len(WorldHandle world, out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_time(WorldHandle world, double* seconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_next_due(WorldHandle world, double* seconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_state_hash(WorldHandle world, ulong* hash);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_drawing_hash(WorldHandle world, ulong* hash);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_setup_at(Place* place, Setup* setup);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_insert(
            WorldHandle world,
            double seconds,
            uint entity,
            Setup* setup,
            ulong* key);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_remove(WorldHandle world, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_place(
            WorldHandle world,
            double seconds,
            uint entity,
            Place* place);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_suspend(WorldHandle world, double seconds, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_resume(WorldHandle world, double seconds, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_body(WorldHandle world, double seconds, uint entity, Body* body);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_handle(
            WorldHandle world,
            double seconds,
            byte* bytes,
            UIntPtr length,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_handle_many(
            WorldHandle world,
            double seconds,
            byte* bytes,
            UIntPtr length,
            uint* ends,
            UIntPtr count,
            Disposition* dispositions,
            UIntPtr capacity,
            out UIntPtr handled);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_replay_action(
            WorldHandle world,
            double seconds,
            byte* bytes,
            UIntPtr length,
            double* metres);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_drawn_into(
            WorldHandle world,
            double seconds,
            uint origin,
            Drawn* bodies,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_changed_into(
            WorldHandle world,
            double seconds,
            uint origin,
            Drawn* bodies,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_animations_into(
            WorldHandle world,
            double seconds,
            Animation* animations,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_events_into(
            WorldHandle world,
            WorldEvent* events,
            UIntPtr capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_actions_into(
            WorldHandle world,
            byte* bytes,
            UIntPtr capacity,
            out UIntPtr length,
            uint* ends,
            UIntPtr ends_capacity,
            out UIntPtr count);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_local_player(WorldHandle world, double seconds, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_skills(WorldHandle world, uint run, uint jump, float load);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_run_rate(WorldHandle world, float rate);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_autonomy(WorldHandle world, uint autonomy);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_set_input(WorldHandle world, double seconds, Keys* input);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_charge_jump(WorldHandle world, double seconds);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_jump(WorldHandle world, double seconds, Vec3* velocity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_player(WorldHandle world, Player* player);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_stats(WorldHandle world, Stats* stats);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_prometheus(
            WorldHandle world,
            byte* text,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_trace(WorldHandle world, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_untrace(WorldHandle world, uint entity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_explain(
            WorldHandle world,
            uint entity,
            UIntPtr lines,
            byte* text,
            UIntPtr capacity,
            out UIntPtr length);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_positions(
            WorldHandle world,
            double seconds,
            Position* positions,
            UIntPtr count,
            Disposition* dispositions,
            UIntPtr capacity);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_movement(
            WorldHandle world,
            double seconds,
            Movement* movement,
            ActionItem* actions,
            UIntPtr count,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_vector(
            WorldHandle world,
            double seconds,
            Vector* vector,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_create(
            WorldHandle world,
            double seconds,
            Description* create,
            Movement* movement,
            ActionItem* actions,
            UIntPtr count,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_state(
            WorldHandle world,
            double seconds,
            uint entity,
            uint state,
            ushort instance,
            ushort stamp,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_delete(
            WorldHandle world,
            double seconds,
            uint entity,
            ushort instance,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_pickup(
            WorldHandle world,
            double seconds,
            uint entity,
            ushort instance,
            ushort position,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_parent(
            WorldHandle world,
            double seconds,
            uint holder,
            uint held,
            uint location,
            uint placement_frame,
            ushort holder_instance,
            ushort held_position,
            Disposition* disposition);

        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]
        internal static extern Status ev_world_apply_teleport(
            WorldHandle world,
            double seconds,
            ushort teleport,
            Disposition* disposition);
    }
}
