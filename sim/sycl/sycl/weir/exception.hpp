/* SPDX-License-Identifier: MIT
 *
 * exception.hpp: errors of the host: [SYCL20] 4.13. An error of a call is thrown by the
 * call. An error of a command is kept by its queue, until the program asks for it or
 * the queue ends. */
#ifndef WEIR_SYCL_EXCEPTION_HPP
#define WEIR_SYCL_EXCEPTION_HPP

#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sycl
{

enum class errc {
    success = 0,
    runtime,
    kernel,
    accessor,
    nd_range,
    event,
    kernel_argument,
    build,
    invalid,
    memory_allocation,
    platform,
    profiling,
    feature_not_supported,
    kernel_not_supported,
    backend_mismatch,
};

} // namespace sycl

namespace std
{
template <> struct is_error_code_enum<sycl::errc> : true_type {
};
} // namespace std

namespace sycl
{

inline const std::error_category &sycl_category() noexcept
{
    struct category final : std::error_category {
        const char *name() const noexcept override
        {
            return "sycl";
        }
        std::string message(int value) const override
        {
            static const char *const texts[] = { "success",
                                                 "runtime error",
                                                 "kernel error",
                                                 "accessor error",
                                                 "nd_range error",
                                                 "event error",
                                                 "kernel argument",
                                                 "build error",
                                                 "invalid",
                                                 "memory allocation",
                                                 "platform error",
                                                 "profiling error",
                                                 "feature not supported",
                                                 "kernel not supported",
                                                 "backend mismatch" };
            return value >= 0 && value < 15 ? texts[value] : "unknown error";
        }
    };
    static const category instance;
    return instance;
}

inline std::error_code make_error_code(errc value) noexcept
{
    return { static_cast<int>(value), sycl_category() };
}

class context;

class exception : public virtual std::exception
{
    std::error_code code_;
    std::string text_;

    static std::string joined(const std::error_code &code, const std::string &text)
    {
        return text.empty() ? code.message() : text;
    }

  public:
    exception(std::error_code code, const std::string &text = std::string())
        : code_(code), text_(joined(code, text))
    {
    }
    exception(int value, const std::error_category &category,
              const std::string &text = std::string())
        : exception(std::error_code(value, category), text)
    {
    }
    exception(const context &, std::error_code code, const std::string &text = {})
        : exception(code, text)
    {
    }
    const char *what() const noexcept override
    {
        return text_.c_str();
    }
    const std::error_code &code() const noexcept
    {
        return code_;
    }
    const std::error_category &category() const noexcept
    {
        return code_.category();
    }
    bool has_context() const noexcept
    {
        return false;
    }
    int get_cl_code() const noexcept
    {
        return code_.value();
    } /* of SYCL 1.2.1 */
};

/* Of SYCL 1.2.1. */
using runtime_error = exception;
using nd_range_error = exception;
using invalid_parameter_error = exception;
using device_error = exception;
using feature_not_supported = exception;
using compile_program_error = exception;
using memory_allocation_error = exception;

using exception_ptr = std::exception_ptr;
class exception_list : public std::vector<std::exception_ptr>
{
};
using async_handler = std::function<void(exception_list)>;

} // namespace sycl

namespace weiri
{

/* The errors that the commands of a queue have thrown, until the program asks for
 * them. */
struct async_errors {
    sycl::exception_list list;
    sycl::async_handler handler; /* or empty */

    void pass_on()
    {
        sycl::exception_list now;
        std::swap(now, list);
        if (now.empty()) {
            return;
        }
        if (handler) {
            handler(now);
            return;
        }
        for (const std::exception_ptr &error : now) {
            try {
                std::rethrow_exception(error);
            } catch (const std::exception &e) {
                std::fprintf(stderr, "SYCL: asynchronous exception: %s\n", e.what());
            } catch (...) {
                std::fputs("SYCL: asynchronous exception\n", stderr);
            }
        }
        std::terminate();
    }
};

struct graph_recorder;

/* The data that copies of a queue share. When the last copy ends, errors that the
 * program has not asked for are not lost. An event of the queue may live on. */
struct queue_end {
    const std::shared_ptr<async_errors> errors;
    graph_recorder *recorder = nullptr; /* a graph takes the queue's commands */

    explicit queue_end(std::shared_ptr<async_errors> errors_)
        : errors(std::move(errors_))
    {
    }
    queue_end(const queue_end &) = delete;
    queue_end &operator=(const queue_end &) = delete;
    ~queue_end()
    {
        errors->pass_on();
    }
};

} // namespace weiri

#endif
