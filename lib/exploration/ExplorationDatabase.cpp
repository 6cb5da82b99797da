// The only file that knows SQLite.
#include "lib/exploration/ExplorationTable.h"

#include "core/support/files/TemporaryFile.h"

#include "fmt/format.h"
#include "sqlite3.h"

#include <variant>

namespace spindle {

namespace {

constexpr const char *kTables =
    "CREATE TABLE points (point TEXT PRIMARY KEY, state TEXT, feasible INTEGER, front INTEGER, "
    "error TEXT, command TEXT);"
    "CREATE TABLE settings (point TEXT, key TEXT, value TEXT, PRIMARY KEY (point, key));"
    "CREATE TABLE figures (point TEXT, name TEXT, value REAL, PRIMARY KEY (point, name));"
    "CREATE TABLE wanted (name TEXT, goal TEXT, least REAL, most REAL);";

using Value = std::variant<std::monostate, int64_t, double, std::string>;

/// A file that is filled in one transaction. The first fault stays.
class Database {
public:
  explicit Database(const std::string &path) {
    note(sqlite3_open(path.c_str(), &connection));
    run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;");
    run(kTables);
  }
  Database(const Database &) = delete;
  ~Database() { sqlite3_close(connection); }

  void insert(const char *table, const std::vector<Value> &row) {
    std::string places;
    for (size_t i = 0; i < row.size(); ++i)
      places += i == 0 ? "?" : ",?";
    std::string text = fmt::format("INSERT INTO {} VALUES ({})", table, places);
    sqlite3_stmt *statement = nullptr;
    note(sqlite3_prepare_v2(connection, text.c_str(), -1, &statement, nullptr));
    for (size_t i = 0; i < row.size(); ++i)
      bind(statement, static_cast<int>(i) + 1, row[i]);
    if (fault.empty() && sqlite3_step(statement) != SQLITE_DONE)
      note(sqlite3_errcode(connection));
    sqlite3_finalize(statement);
  }

  /// The first fault, or nothing.
  std::string finish() {
    run("COMMIT;");
    return fault;
  }

private:
  void bind(sqlite3_stmt *statement, int at, const Value &value) {
    if (const auto *text = std::get_if<std::string>(&value))
      note(sqlite3_bind_text(statement, at, text->c_str(), static_cast<int>(text->size()),
                             SQLITE_TRANSIENT));
    else if (const auto *number = std::get_if<double>(&value))
      note(sqlite3_bind_double(statement, at, *number));
    else if (const auto *whole = std::get_if<int64_t>(&value))
      note(sqlite3_bind_int64(statement, at, *whole));
  }

  void run(const char *text) {
    if (fault.empty())
      note(sqlite3_exec(connection, text, nullptr, nullptr, nullptr));
  }

  void note(int code) {
    if (code != SQLITE_OK && fault.empty())
      fault = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  }

  sqlite3 *connection = nullptr;
  std::string fault;
};

Value valueOrNull(const std::optional<double> &number) { return number ? Value(*number) : Value(); }

} // namespace

static void fill(Database &database, const Exploration &exploration,
                 const std::vector<ExploredPoint> &points) {
  std::vector<Standing> standings = standingsOf(exploration, points);
  for (size_t p = 0; p < points.size(); ++p) {
    const ExploredPoint &point = points[p];
    std::string id = pointId(point.settings);
    database.insert("points", {id, std::string(point.error.empty() ? "done" : "failed"),
                               int64_t(standings[p].isFeasible), int64_t(standings[p].isOnFront),
                               point.error.empty() ? Value() : Value(point.error),
                               commandOf(exploration, point)});
    for (const Setting &setting : point.settings)
      database.insert("settings", {id, setting.key, setting.value});
    for (const auto &[name, value] : point.figures)
      database.insert("figures", {id, name, value});
  }
  for (const Objective &objective : exploration.objectives)
    database.insert("wanted",
                    {objective.name, std::string(objective.isMost ? "max" : "min"), {}, {}});
  for (const Constraint &constraint : exploration.constraints)
    database.insert("wanted", {constraint.name, std::string("limits"),
                               valueOrNull(constraint.least), valueOrNull(constraint.most)});
}

llvm::Error writeDatabase(const std::string &path, const Exploration &exploration,
                          const std::vector<ExploredPoint> &points) {
  TemporaryFile file(path);
  std::string fault;
  {
    Database database(file.path());
    fill(database, exploration, points);
    fault = database.finish();
  }
  if (!fault.empty())
    return inputError(path, "cannot write: " + fault);
  return file.keep();
}

} // namespace spindle
